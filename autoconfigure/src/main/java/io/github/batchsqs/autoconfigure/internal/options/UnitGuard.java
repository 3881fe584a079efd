/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.errors.InvalidOptionException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.unit.DataSize;

/**
 * Refuses numbers without a unit where they are most likely a mistake. Spring Boot reads such a number as milliseconds or
 * bytes, so that {@code shutdown-timeout: 25} would be 25 ms.
 *
 * <p>A duration of seconds or more needs a unit, unless the number is a multiple of a second. A duration of milliseconds, such
 * as {@code batch-linger}, needs none. One that may be either, such as {@code max-block}, needs a unit below 100. A size below
 * 1 KB needs a unit.
 */
public final class UnitGuard extends AbstractBindHandler {

    private static final Pattern NUMBER = Pattern.compile("\\d{1,12}");

    private static final long MILLIS_PER_SECOND = 1_000;
    private static final long BYTES_PER_KILOBYTE = 1_024;

    /** The ends of the names of settings that are measured in milliseconds. */
    private static final List<String> IN_MILLISECONDS = List.of("linger", "min-interval");

    /**
     * The ends of the names of settings of a few seconds, which may well be below one: 500 is half a second, but 10 is
     * hardly 10 ms.
     */
    private static final String OFTEN_IN_MILLISECONDS = "max-block";

    private static final long LIKELY_MILLISECONDS = 100;

    private final ConfigurationPropertyName root;
    private final UnaryOperator<String> resolver;
    private final UnaryOperator<String> key;

    /**
     * @param root the names that are guarded
     * @param resolver resolves placeholders
     * @param key returns the key for errors, for a name below the root
     */
    public UnitGuard(
            BindHandler parent,
            ConfigurationPropertyName root,
            UnaryOperator<String> resolver,
            UnaryOperator<String> key) {
        super(parent);
        this.root = root;
        this.resolver = resolver;
        this.key = key;
    }

    @Override
    public @Nullable Object onSuccess(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (property != null && root.isAncestorOf(name)) {
            String option = name.toString().substring(root.toString().length() + 1);
            String text = resolver.apply(String.valueOf(property.getValue())).strip();
            if (NUMBER.matcher(text).matches()) {
                require(option, result, text);
            }
        }
        return super.onSuccess(name, target, context, result);
    }

    private void require(String option, Object value, String text) {
        long number = Long.parseLong(text);
        if (value instanceof Duration && number % MILLIS_PER_SECOND != 0 && !inMilliseconds(option, number)) {
            throw new InvalidOptionException(
                    key.apply(option),
                    "needs a unit: a number without a unit is milliseconds",
                    text,
                    "write " + number + "s, or " + number + "ms if milliseconds are meant");
        }
        if (value instanceof DataSize && number > 0 && number < BYTES_PER_KILOBYTE) {
            throw new InvalidOptionException(
                    key.apply(option),
                    "needs a unit: a number without a unit is bytes",
                    text,
                    "write " + number + "KB or " + number + "MB");
        }
    }

    private static boolean inMilliseconds(String option, long number) {
        return IN_MILLISECONDS.stream().anyMatch(option::endsWith)
                || (number >= LIKELY_MILLISECONDS && option.endsWith(OFTEN_IN_MILLISECONDS));
    }
}
