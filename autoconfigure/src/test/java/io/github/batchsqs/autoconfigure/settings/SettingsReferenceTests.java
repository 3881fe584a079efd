/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.autoconfigure.testkit.SettingsMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The page {@code docs/settings.md} is what the metadata says; {@code -Dbatchsqs.docs.write=true} writes it anew. */
class SettingsReferenceTests {

    private static final Path PAGE = Path.of("..", "docs", "settings.md");

    private static final Map<String, String> CHAPTERS = new LinkedHashMap<>();

    private static final String RENAMED = """

        ## Renamed keys

        A former key still works, and a warning at start names the key that replaces it. If both are set, their values must be
        equal.

        | former key | key |
        |---|---|
        """;

    static {
        CHAPTERS.put("batchsqs.listener.", """
            ## Listeners: `batchsqs.listener.*`

            Defaults of all listeners. `batchsqs.listeners.<id>.*` holds the settings of one listener, with the same keys. A
            `ListenerOptionsCustomizer` bean overrides the settings of one listener, these override the annotation, and the
            annotation overrides the defaults.
            """);
        CHAPTERS.put("batchsqs.sender.", "## Sending: `batchsqs.sender.*`\n");
        CHAPTERS.put("batchsqs.s3.", "## Payloads in S3: `batchsqs.s3.*`\n");
        CHAPTERS.put("batchsqs.jdbc.", "## Inbox and outbox: `batchsqs.jdbc.*`\n");
        CHAPTERS.put("batchsqs.embedded.", "## The embedded server: `batchsqs.embedded.*`\n");
        CHAPTERS.put("batchsqs.client.", "## Calls: `batchsqs.client.*`\n");
        CHAPTERS.put("batchsqs.health.", "## Health: `batchsqs.health.*`\n");
        CHAPTERS.put("batchsqs.observations.", "## Observations: `batchsqs.observations.*`\n");
        CHAPTERS.put("batchsqs.", "## All of BatchSQS: `batchsqs.*`\n");
        CHAPTERS.put("management.", "## Actuator: `management.*`\n");
    }

    @Test
    void thePageIsUpToDate() throws IOException {
        String page = page();
        if (Boolean.getBoolean("batchsqs.docs.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE)
                .as("Write it anew: ./mvnw -pl autoconfigure -am test -Dtest=SettingsReferenceTests"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dbatchsqs.docs.write=true")
                .content()
                .isEqualTo(page);
    }

    private static String page() {
        JsonNode metadata = SettingsMetadata.read();
        Map<String, List<JsonNode>> byChapter = metadata.get("properties")
                .valueStream()
                .filter(property -> !property.get("name").asString().equals("batchsqs.listeners"))
                .filter(property -> !property.has("deprecation"))
                .collect(Collectors.groupingBy(SettingsReferenceTests::chapter));
        var page = new StringBuilder("""
            # Settings

            Generated from the metadata that editors show. Durations are written as `200ms`, `20s` or `5m`, sizes as `256KB` or
            `1MB`. A number without a unit is milliseconds or bytes; where seconds or more are usual, one that is not a multiple of a second ends the
            start-up. An unknown key under `batchsqs.` ends the start-up.
            """);
        CHAPTERS.forEach((prefix, text) -> {
            List<JsonNode> properties = byChapter.get(prefix);
            if (properties != null) {
                page.append('\n').append(text).append("\n| key | default | meaning |\n|---|---|---|\n");
                properties.forEach(property -> page.append(row(property, prefix)));
            }
        });
        page.append(RENAMED);
        metadata.get("properties")
                .valueStream()
                .filter(property -> property.has("deprecation"))
                .forEach(property -> page.append("| `%s` | `%s` |%n"
                        .formatted(
                                property.get("name").asString(),
                                property.get("deprecation").get("replacement").asString())
                        .replace("\r", "")));
        return page.toString();
    }

    private static String chapter(JsonNode property) {
        String name = property.get("name").asString();
        return CHAPTERS.keySet().stream().filter(name::startsWith).findFirst().orElseThrow();
    }

    private static String row(JsonNode property, String prefix) {
        String fallback = property.has("defaultValue")
                ? "`" + property.get("defaultValue").asString() + "`"
                : "";
        return "| `%s` | %s | %s |%n"
                .formatted(
                        property.get("name").asString().substring(prefix.length()),
                        fallback,
                        property.get("description").asString().replace("|", "\\|"))
                .replace("\r", "");
    }
}
