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
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/** The keys of all settings, as the settings classes declare them. */
final class SettingKeys {

    static final String PREFIX = "batchsqs.";

    private static final String LISTENERS = "listeners";
    private static final String ALL_LISTENERS = PREFIX + "listener.";

    /** How many elements of the key of one listener come before those of its setting. */
    private static final int ELEMENTS_OF_LISTENER = 3;

    private SettingKeys() {}

    /**
     * Returns the setting whose key differs from this one in the fewest characters, or one with the same name in another
     * group; {@code null} if none is similar.
     */
    static @Nullable String mostSimilar(ConfigurationPropertyName key) {
        boolean hasId = key.getNumberOfElements() > ELEMENTS_OF_LISTENER;
        String setting = hasId ? key.subName(ELEMENTS_OF_LISTENER).toString() : "";
        if (hasId && key.getElement(1, Form.UNIFORM).equals("listener") && isSetting(ALL_LISTENERS + setting)) {
            return listener(key) + "." + setting;
        }
        boolean ofOne = hasId && isOfOneListener(key);
        String searched = ofOne ? ALL_LISTENERS + setting : key.toString();
        String found = mostSimilar(searched);
        return found != null && ofOne && found.startsWith(ALL_LISTENERS)
                ? listener(key) + "." + found.substring(ALL_LISTENERS.length())
                : found;
    }

    private static boolean isSetting(String key) {
        return of(PREFIX, BatchSqsProperties.class).anyMatch(key::equals);
    }

    private static @Nullable String mostSimilar(String searched) {
        String found =
                nearest(searched, known -> EditDistance.of(known, searched) <= Math.max(2, searched.length() / 6));
        if (found == null) {
            String name = name(searched);
            found = nearest(
                    searched, known -> EditDistance.of(name(known), name) <= 1); // the name alone, in another group
        }
        return found;
    }

    /** Returns the key with the listener's id as it is written: capitals of an id matter, unlike those of a setting. */
    static String text(ConfigurationPropertyName key) {
        if (!isOfOneListener(key)) {
            return key.toString();
        }
        ConfigurationPropertyName setting = key.subName(ELEMENTS_OF_LISTENER);
        return setting.isEmpty() ? listener(key) : listener(key) + "." + setting;
    }

    private static boolean isOfOneListener(ConfigurationPropertyName key) {
        return key.getNumberOfElements() >= ELEMENTS_OF_LISTENER
                && key.getElement(1, Form.UNIFORM).equals(LISTENERS);
    }

    private static String listener(ConfigurationPropertyName key) {
        String id = key.getElement(ELEMENTS_OF_LISTENER - 1, Form.ORIGINAL);
        boolean inBrackets = key.chop(ELEMENTS_OF_LISTENER).isLastElementIndexed();
        return PREFIX + LISTENERS + (inBrackets ? "[" + id + "]" : "." + id);
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
