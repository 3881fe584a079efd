/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConverterNotFoundException;

/**
 * Prints keys under {@code batchsqs.} whose values are not of their type, or that take no value: the key, the rule, the value,
 * its origin and the remedy.
 */
@Order(0) // before the analyzer of binding errors, which prints Java types
final class WrongTypeFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        String key = SettingKeys.text(cause.getName());
        Class<?> type = cause.getTarget().getType().toClass();
        if (!key.startsWith(SettingKeys.PREFIX)) {
            return null;
        }
        if (type.isRecord() && cause.getCause() instanceof ConverterNotFoundException) {
            return new FailureAnalysis(
                    key + " is a group of settings and takes no value itself.",
                    "Set one of its settings instead: "
                            + SettingKeys.of(key + ".", type).collect(Collectors.joining(", "))
                            + ".",
                    cause);
        }
        ConfigurationProperty property = cause.getProperty();
        String expected = ExpectedValue.of(type);
        if (property == null || expected == null || !(cause.getCause() instanceof ConversionFailedException)) {
            return null;
        }
        String written = SettingKeys.text(property.getName());
        return new FailureAnalysis(
                "%s must be %s.%n%n    Value: \"%s\"%n    Origin: %s"
                        .formatted(written, expected, property.getValue(), property.getOrigin()),
                "Correct the value of %s, or remove it.".formatted(written),
                cause);
    }
}
