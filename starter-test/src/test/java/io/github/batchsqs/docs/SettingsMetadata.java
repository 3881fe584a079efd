/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The metadata of all settings on the class path, which editors show. */
final class SettingsMetadata {

    private SettingsMetadata() {}

    /** Returns an object for each setting. */
    static List<JsonNode> properties() {
        try {
            return Collections.list(SettingsMetadata.class
                            .getClassLoader()
                            .getResources("META-INF/spring-configuration-metadata.json"))
                    .stream()
                    .flatMap(SettingsMetadata::propertiesIn)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Stream<JsonNode> propertiesIn(URL metadata) {
        try (var in = metadata.openStream()) {
            return JsonMapper.shared().readTree(in).path("properties").valueStream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
