/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.diagnostics;

import io.github.batchsqs.autoconfigure.settings.BatchSqsProperties;
import java.lang.reflect.RecordComponent;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.ResolvableType;

/** The keys of all settings, as the settings classes declare them. */
final class SettingKeys {

    static final String PREFIX = "batchsqs.";

    private static final String ONE_LISTENER = PREFIX + "listeners.";
    private static final String ALL_LISTENERS = PREFIX + "listener.";

    /** The index of an element of a list, and what stands for it in the key of a setting of each element. */
    private static final Pattern INDEX = Pattern.compile("\\[\\d+]");

    static final String ANY_INDEX = "[]";

    private SettingKeys() {}

    /**
     * Returns the setting whose key differs from this one in the fewest characters, or one with the same name in another
     * group; {@code null} if none is similar.
     */
    static @Nullable String mostSimilar(String key) {
        Matcher index = INDEX.matcher(key);
        if (index.find()) {
            String number = index.group();
            String similar = mostSimilar(index.replaceFirst(ANY_INDEX));
            return similar == null ? null : similar.replace(ANY_INDEX, number);
        }
        int end = key.startsWith(ONE_LISTENER) ? key.indexOf('.', ONE_LISTENER.length()) : -1;
        String listener = end < 0 ? ALL_LISTENERS : key.substring(0, end + 1);
        String searched = end < 0 ? key : ALL_LISTENERS + key.substring(end + 1);
        String found =
                nearest(searched, known -> EditDistance.of(known, searched) <= Math.max(2, searched.length() / 6));
        if (found == null) {
            String name = name(searched);
            found = nearest(
                    searched, known -> EditDistance.of(name(known), name) <= 1); // the name alone, in another group
        }
        return found != null && found.startsWith(ALL_LISTENERS)
                ? listener + found.substring(ALL_LISTENERS.length())
                : found;
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
        Class<?> element = ResolvableType.forType(component.getGenericType())
                .asCollection()
                .getGeneric()
                .toClass();
        if (element.isRecord()) {
            return Stream.concat(Stream.of(key), of(key + ANY_INDEX + ".", element));
        }
        return component.getType().isRecord() ? of(key + ".", component.getType()) : Stream.of(key);
    }
}
