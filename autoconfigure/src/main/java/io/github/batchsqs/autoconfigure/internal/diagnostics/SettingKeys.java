/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import java.lang.reflect.RecordComponent;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** The keys of all settings, as the settings classes declare them. */
final class SettingKeys {

    static final String PREFIX = "batchsqs.";

    private static final String ALL_LISTENERS = PREFIX + "listener";
    private static final String ONE_LISTENER = PREFIX + "listeners";

    /** How many elements of the key of one listener come before those of its setting. */
    private static final int ELEMENTS_OF_LISTENER = 3;

    private SettingKeys() {}

    /**
     * Returns the setting whose key differs from this one in the fewest characters, or one with the same name in another
     * group; {@code null} if none is similar.
     */
    static @Nullable String mostSimilar(ConfigurationPropertyName key) {
        if (key.getNumberOfElements() <= ELEMENTS_OF_LISTENER) {
            return similar(key.toString());
        }
        String listener = key.chop(ELEMENTS_OF_LISTENER).toString();
        String setting = "." + key.subName(ELEMENTS_OF_LISTENER);
        if (listener.startsWith(ALL_LISTENERS + ".")
                && of(PREFIX, BatchSqsProperties.class).anyMatch((ALL_LISTENERS + setting)::equals)) {
            return ONE_LISTENER + listener.substring(ALL_LISTENERS.length()) + setting; // an s is missing
        }
        if (!listener.startsWith(ONE_LISTENER)) {
            return similar(key.toString());
        }
        String found = similar(ALL_LISTENERS + setting);
        return found != null && found.startsWith(ALL_LISTENERS)
                ? listener + found.substring(ALL_LISTENERS.length())
                : found;
    }

    private static @Nullable String similar(String searched) {
        String found =
                nearest(searched, known -> EditDistance.of(known, searched) <= Math.max(2, searched.length() / 6));
        return found != null
                ? found // or the name alone, in another group
                : nearest(searched, known -> EditDistance.of(name(known), name(searched)) <= 1);
    }

    private static @Nullable String nearest(String searched, Predicate<String> similar) {
        return of(PREFIX, BatchSqsProperties.class)
                .filter(similar)
                .min(Comparator.comparingInt(known -> EditDistance.of(known, searched)))
                .orElse(null);
    }

    private static String name(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    /** Returns the keys of all settings of a settings class. */
    static Stream<String> of(String prefix, Class<?> settings) {
        return Stream.of(settings.getRecordComponents()).flatMap(component -> ofComponent(prefix, component));
    }

    private static Stream<String> ofComponent(String prefix, RecordComponent component) {
        String key = prefix + DataObjectPropertyName.toDashedForm(component.getName());
        return component.getType().isRecord() ? of(key + ".", component.getType()) : Stream.of(key);
    }
}
