/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.errors.InvalidOptionException;
import java.time.Duration;
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
 * Refuses durations and sizes without a unit. Spring Boot reads such a number as milliseconds or bytes, so that {@code
 * shutdown-timeout: 25} would be 25 ms. 0 needs no unit.
 */
public final class UnitGuard extends AbstractBindHandler {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("batchsqs");
    private static final Pattern NUMBER = Pattern.compile("\\d*[1-9]\\d*");

    private final UnaryOperator<String> resolver;

    /** @param resolver resolves placeholders */
    public UnitGuard(BindHandler parent, UnaryOperator<String> resolver) {
        super(parent);
        this.resolver = resolver;
    }

    @Override
    public @Nullable Object onSuccess(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (property != null && ROOT.isAncestorOf(name)) {
            require(name.toString(), result, resolver.apply(String.valueOf(property.getValue())));
        }
        return super.onSuccess(name, target, context, result);
    }

    /** @throws InvalidOptionException if the value needs a unit and the text has none */
    static void require(String key, @Nullable Object value, String text) {
        String number = text.strip();
        if (!NUMBER.matcher(number).matches()) {
            return;
        }
        if (value instanceof Duration) {
            throw new InvalidOptionException(
                    key,
                    "needs a unit: a number without a unit is milliseconds",
                    number,
                    "write " + number + "s, or " + number + "ms if milliseconds are meant");
        }
        if (value instanceof DataSize) {
            throw new InvalidOptionException(
                    key,
                    "needs a unit: a number without a unit is bytes",
                    number,
                    "write " + number + "KB or " + number + "MB, or " + number + "B if bytes are meant");
        }
    }
}
