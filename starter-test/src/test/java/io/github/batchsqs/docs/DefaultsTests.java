/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.SettingsMetadata;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** A value in parentheses behind a key, such as "{@code sender.linger} (5 ms)", is the default of all settings whose keys end so. */
class DefaultsTests {

    private static final Pattern CLAIM = Pattern.compile(
            "`(?:batchsqs\\.)?([a-z][a-z.-]+)`\\s+\\(([0-9]+)\\s*(ms|s|seconds|minutes?|min|h|MiB|MB)?[,)]");

    private static final List<JsonNode> SETTINGS = SettingsMetadata.properties().stream()
            .filter(setting -> setting.path("name").asString().startsWith("batchsqs."))
            .toList();

    /**
     * What a page says about the default of a setting.
     *
     * @param key the end of its key
     * @param value the default, as the settings write it
     */
    record Claim(String page, String key, String value) {}

    static List<Claim> claims() {
        return Page.all().stream()
                .filter(page -> !page.file().toString().equals("CHANGELOG.md"))
                .flatMap(DefaultsTests::claimsOn)
                .filter(claim -> !named(claim).isEmpty())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("claims")
    void theDefaultIsTheSettings(Claim claim) {
        assertThat(named(claim))
                .as(claim.toString())
                .allSatisfy(setting -> assertThat(setting.path("defaultValue").asString(""))
                        .as(
                                "default of %s; a longer key names one setting alone",
                                setting.path("name").asString())
                        .isEqualTo(claim.value()));
    }

    @Test
    void thePagesHaveManyDefaults() {
        assertThat(claims()).hasSizeGreaterThan(10);
    }

    private static Stream<Claim> claimsOn(Page page) {
        return CLAIM.matcher(Page.text(Page.ROOT.resolve(page.file())))
                .results()
                .map(found -> new Claim(page.file().toString(), found.group(1), value(found)));
    }

    private static String value(MatchResult found) {
        String unit = Objects.requireNonNullElse(found.group(3), "").toLowerCase(Locale.ROOT);
        return found.group(2)
                + switch (unit) {
                    case "seconds" -> "s";
                    case "minute", "minutes", "min" -> "m";
                    case "mib", "mb" -> "MB";
                    default -> unit;
                };
    }

    private static List<JsonNode> named(Claim claim) {
        return SETTINGS.stream()
                .filter(setting -> ("." + setting.path("name").asString()).endsWith("." + claim.key()))
                .toList();
    }
}
