/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.diagnostics;

import io.github.batchsqs.autoconfigure.settings.BatchSqsProperties;
import java.lang.reflect.RecordComponent;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** The keys of all settings, as the settings classes declare them. */
final class SettingKeys {

    static final String PREFIX = "batchsqs.";

    private static final String ONE_LISTENER = PREFIX + "listeners.";
    private static final String ALL_LISTENERS = PREFIX + "listener.";

    private SettingKeys() {}

    /** Returns the setting whose key differs from this one in the fewest characters, or {@code null} if none is similar. */
    static @Nullable String mostSimilar(String key) {
        int end = key.startsWith(ONE_LISTENER) ? key.indexOf('.', ONE_LISTENER.length()) : -1;
        String listener = end < 0 ? ALL_LISTENERS : key.substring(0, end + 1);
        String searched = end < 0 ? key : ALL_LISTENERS + key.substring(end + 1);
        int most = Math.max(2, searched.length() / 6);
        return keys(PREFIX, BatchSqsProperties.class)
                .map(known -> Map.entry(known, distance(known, searched)))
                .filter(known -> known.getValue() <= most)
                .min(Comparator.comparingInt(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .map(known ->
                        known.startsWith(ALL_LISTENERS) ? listener + known.substring(ALL_LISTENERS.length()) : known)
                .orElse(null);
    }

    private static Stream<String> keys(String prefix, Class<?> settings) {
        return Stream.of(settings.getRecordComponents()).flatMap(component -> keys(prefix, component));
    }

    private static Stream<String> keys(String prefix, RecordComponent component) {
        String key = prefix + DataObjectPropertyName.toDashedForm(component.getName());
        return component.getType().isRecord() ? keys(key + ".", component.getType()) : Stream.of(key);
    }

    /** Returns the number of characters to insert, delete or replace. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
