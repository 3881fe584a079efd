/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.diagnostics;

import io.github.batchsqs.errors.InvalidOptionException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Prints an {@link InvalidOptionException}: the key, the rule, the value and the remedy. */
@Order(0) // before the analyzer of binding errors, which wraps this one when a settings class refuses a value
final class InvalidOptionFailureAnalyzer extends AbstractFailureAnalyzer<InvalidOptionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidOptionException cause) {
        var description = "%s %s.%n%n    Value: %s".formatted(cause.option(), cause.rule(), cause.value());
        return new FailureAnalysis(description + origin(rootFailure), sentence(cause.remedy()), cause);
    }

    /** Returns where the value was written, if the binding of that one setting failed. */
    private String origin(Throwable rootFailure) {
        BindException binding = findCause(rootFailure, BindException.class);
        ConfigurationProperty property = binding == null ? null : binding.getProperty();
        return binding == null
                        || property == null
                        || property.getOrigin() == null
                        || !property.getName().equals(binding.getName())
                ? ""
                : "%n    Origin: %s".formatted(property.getOrigin());
    }

    private static String sentence(String remedy) {
        var text = Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1);
        return text.endsWith(".") ? text : text + ".";
    }
}
