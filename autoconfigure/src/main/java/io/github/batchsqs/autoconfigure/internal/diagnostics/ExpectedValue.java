/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/** Describes what a setting of a type takes, for errors. */
public final class ExpectedValue {

    private ExpectedValue() {}

    /** {@return the words that follow "must be", or {@code null} for a type that only conversion itself can describe} */
    public static @Nullable String of(Class<?> settingType) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(settingType);
        if (type == Duration.class) {
            return "a duration such as 200ms, 5s, 1m or PT1M";
        }
        if (type == DataSize.class) {
            return "a size such as 256KB or 1MB";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        if (type == Double.class) {
            return "a number";
        }
        if (type == Integer.class || type == Long.class) {
            return "a whole number";
        }
        if (type.isEnum()) {
            return Stream.of(type.getEnumConstants())
                    .map(constant ->
                            ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        return null;
    }
}
