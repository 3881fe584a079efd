/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.SettingsMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The page {@code docs/settings.md} is what the metadata says; {@code -Dbatchsqs.docs.write=true} writes it anew. */
class SettingsReferenceTests {

    private static final Path PAGE = Path.of("..", "docs", "settings.md");

    private static final String HEAD = """
            # Settings

            Generated from the metadata that editors show. Durations are written as `200ms`, `20s` or `5m`, sizes as `256KB` or `1MB`. An unknown key under
            `batchsqs.` ends the start. <!-- holds: RefusedStartsTests --> A number without a unit means seconds, and milliseconds for `linger` and `min-interval`.

            `batchsqs.listener.*` has the defaults of all listeners, `batchsqs.listeners.<id>.*` the same keys for one listener. Each of these overrides the one before:
            the defaults, the annotation, the settings of the listener, a `ListenerOptionsCustomizer` bean. In `<id>`, write dashes instead of dots.
            [Operations](operations.md) has the keys of Spring Boot's actuator.
            """;

    /** The questions in the order of the page, each with the keys that concern it; a setting is at the first that fits. */
    private static final Map<String, Pattern> QUESTIONS = new LinkedHashMap<>();

    static {
        question(
                "The five that people change first",
                "listener\\.(concurrency|batch-size|batch-linger|visibility\\.timeout|shutdown-timeout)");
        question(
                "How many at once",
                "listener\\.(concurrency|executor|pollers|prefetch|rate-limit).*|sender\\.buffer.*|in-flight-bytes");
        question("When it fails", "listener\\.(failure|queue-not-found|fifo\\.retry).*");
        question(
                "How long",
                "listener\\.(wait-time|visibility|acknowledge\\.linger).*|sender\\.(linger|delivery-timeout|max-block|shutdown-timeout)");
        question("What a message is", "listener\\.(payload|fifo|acknowledge).*|sender\\.(?!transactional).*");
        question("Inbox and outbox", "jdbc\\..*|listener\\.inbox\\..*|sender\\.transactional");
        question("Payloads in S3", "s3\\..*");
        question("Where and when it runs", ".*");
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

    private static void question(String title, String keys) {
        QUESTIONS.put(title, Pattern.compile(keys));
    }

    private static String page() {
        Map<String, List<JsonNode>> byQuestion = SettingsMetadata.properties().stream()
                .filter(property -> property.get("name").asString().startsWith("batchsqs."))
                .filter(property -> !property.get("name").asString().equals("batchsqs.listeners"))
                .collect(Collectors.groupingBy(SettingsReferenceTests::questionOf));
        var page = new StringBuilder(HEAD);
        for (String title : QUESTIONS.keySet()) {
            List<JsonNode> properties = byQuestion.get(title);
            if (properties != null) {
                page.append("\n## ").append(title).append("\n\n| key | default | meaning |\n|---|---|---|\n");
                properties.forEach(property -> page.append(row(property)));
            }
        }
        return page.toString();
    }

    private static String questionOf(JsonNode property) {
        String key = property.get("name").asString().replaceFirst("^batchsqs\\.", "");
        return QUESTIONS.entrySet().stream()
                .filter(question -> question.getValue().matcher(key).matches())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private static String row(JsonNode property) {
        String fallback = property.has("defaultValue")
                ? "`" + property.get("defaultValue").asString() + "`"
                : "";
        return "| `%s` | %s | %s |%n"
                .formatted(
                        property.get("name").asString(),
                        fallback,
                        property.get("description").asString().replace("|", "\\|"))
                .replace("\r", "");
    }
}
