/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.settings.ListenerSettings;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** The keys of all settings, as the settings classes declare them. */
public final class SettingKeys {

    static final String PREFIX = "batchsqs.";

    private static final ConfigurationPropertyName LISTENERS = ConfigurationPropertyName.of("batchsqs.listeners");

    /** How many elements of the key of one listener come before those of its setting. */
    private static final int ELEMENTS_OF_LISTENER = 3;

    private SettingKeys() {}

    /**
     * Returns the setting whose key differs from this one in the fewest characters, or one with the same name in another
     * group; {@code null} if none is similar. The third element may be the id of a listener.
     */
    static @Nullable String mostSimilar(ConfigurationPropertyName key) {
        String written = key.toString();
        List<String> known = new ArrayList<>();
        if (key.getNumberOfElements() > ELEMENTS_OF_LISTENER) {
            ConfigurationPropertyName id = key.subName(ELEMENTS_OF_LISTENER - 1).chop(1);
            of(LISTENERS.append(id.toString()) + ".", ListenerSettings.class).forEach(known::add);
        }
        if (known.isEmpty() || !LISTENERS.isAncestorOf(key)) {
            of(PREFIX, BatchSqsProperties.class).forEach(known::add);
        }
        return nearest(known, written, each -> EditDistance.of(each, written) <= Math.max(2, written.length() / 6))
                .or(() -> nearest(known, written, each -> EditDistance.of(name(each), name(written)) <= 1))
                .orElse(null);
    }

    private static Optional<String> nearest(List<String> known, String written, Predicate<String> similar) {
        return known.stream().filter(similar).min(Comparator.comparingInt(each -> EditDistance.of(each, written)));
    }

    private static String name(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    /** Returns the keys of all settings of a settings class. */
    public static Stream<String> of(String prefix, Class<?> settings) {
        return Stream.of(settings.getRecordComponents()).flatMap(component -> ofComponent(prefix, component));
    }

    private static Stream<String> ofComponent(String prefix, RecordComponent component) {
        String key = prefix + DataObjectPropertyName.toDashedForm(component.getName());
        return component.getType().isRecord() ? of(key + ".", component.getType()) : Stream.of(key);
    }
}
