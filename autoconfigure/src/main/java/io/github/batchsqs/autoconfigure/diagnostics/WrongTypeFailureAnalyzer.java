/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.diagnostics;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;

/** Prints keys under {@code batchsqs.} whose values are not of their type: the key, the rule, the value and the remedy. */
@Order(0) // before the analyzer of binding errors, which prints Java types
final class WrongTypeFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        ConfigurationProperty property = cause.getProperty();
        String expected = ExpectedValue.of(cause.getTarget().getType().toClass());
        if (property == null
                || expected == null
                || !(cause.getCause() instanceof ConversionFailedException)
                || !property.getName().toString().startsWith(SettingKeys.PREFIX)) {
            return null;
        }
        return new FailureAnalysis(
                "%s must be %s.%n%n    Value: \"%s\"%n    Origin: %s"
                        .formatted(property.getName(), expected, property.getValue(), property.getOrigin()),
                "Correct the value of %s, or remove it.".formatted(property.getName()),
                cause);
    }
}
