/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.testkit;

import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The metadata that editors show for the settings of this module. */
public final class SettingsMetadata {

    private SettingsMetadata() {}

    /** Returns the metadata that the build generated. */
    public static JsonNode read() {
        try (Stream<JsonNode> found = BatchSqsProperties.class
                .getClassLoader()
                .resources("META-INF/spring-configuration-metadata.json")
                .map(url -> {
                    try (var in = url.openStream()) {
                        return JsonMapper.shared().readTree(in);
                    } catch (IOException failure) {
                        throw new UncheckedIOException(failure);
                    }
                })) {
            return found.filter(metadata -> metadata.path("groups")
                            .valueStream()
                            .anyMatch(group ->
                                    "batchsqs".equals(group.path("name").asString(""))))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
