/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import io.github.batchsqs.errors.InvalidOptionException;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Prints an {@link InvalidOptionException}: the key, the rule, the value, its origin and the remedy. */
@Order(0) // before the analyzer of binding errors, which wraps this one when a settings class refuses a value
final class InvalidOptionFailureAnalyzer extends AbstractFailureAnalyzer<InvalidOptionException> {

    private final Environment environment;

    InvalidOptionFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidOptionException cause) {
        var description = "%s %s.%n%n    Value: %s".formatted(cause.option(), cause.rule(), cause.value());
        ConfigurationProperty property = property(cause.option());
        if (property != null && property.getOrigin() != null) {
            description += "%n    Origin: %s".formatted(property.getOrigin());
        }
        return new FailureAnalysis(description, sentence(cause.remedy()), cause);
    }

    /** Returns the setting as it was written. */
    private @Nullable ConfigurationProperty property(String option) {
        if (!option.startsWith(SettingKeys.PREFIX) || !ConfigurationPropertyName.isValid(option)) {
            return null;
        }
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .map(source -> source.getConfigurationProperty(ConfigurationPropertyName.of(option)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static String sentence(String remedy) {
        var text = Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1);
        return text.endsWith(".") ? text : text + ".";
    }
}
