/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The metadata of all settings on the class path, which editors show. */
public final class SettingsMetadata {

    private SettingsMetadata() {}

    /** Returns an object for each setting. */
    public static List<JsonNode> properties() {
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

    /** Returns the names of the settings that begin so, without their beginning. */
    public static List<String> namesUnder(String prefix) {
        return properties().stream()
                .map(property -> property.get("name").asString())
                .filter(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()))
                .toList();
    }

    private static Stream<JsonNode> propertiesIn(URL metadata) {
        try (var in = metadata.openStream()) {
            return JsonMapper.shared().readTree(in).path("properties").valueStream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
