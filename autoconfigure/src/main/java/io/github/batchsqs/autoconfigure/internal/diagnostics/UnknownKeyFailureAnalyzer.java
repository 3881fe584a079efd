/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Prints keys under {@code batchsqs.} that are no settings, with the most similar setting, and settings without a value. */
@Order(0) // before the analyzer of binding errors, which prints the binder's target
final class UnknownKeyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
        List<ConfigurationProperty> unbound = cause.getUnboundProperties().stream()
                .sorted(Comparator.comparing(ConfigurationProperty::getName))
                .toList();
        if (unbound.isEmpty() || !unbound.stream().allMatch(UnknownKeyFailureAnalyzer::isOurs)) {
            return null;
        }
        var problem = new StringBuilder();
        var remedy = new StringBuilder();
        for (ConfigurationProperty property : unbound) {
            String key = property.getName().toString();
            boolean empty = String.valueOf(property.getValue()).isBlank();
            problem.append("%s %s.%n%n    Value: \"%s\"%n    Origin: %s%n%n"
                    .formatted(
                            key,
                            empty ? "has no value, or is not a setting" : "is not a setting",
                            property.getValue(),
                            property.getOrigin()));
            String similar = SettingKeys.mostSimilar(property.getName());
            if (key.equals(similar)) {
                remedy.append("Give %s a value, or remove it. ".formatted(key));
            } else if (similar != null) {
                remedy.append("Correct %s to %s, or remove it. ".formatted(key, similar));
            } else {
                remedy.append("Remove %s. ".formatted(key));
            }
        }
        return new FailureAnalysis(problem.toString().strip(), remedy.toString().strip(), cause);
    }

    private static boolean isOurs(ConfigurationProperty property) {
        return property.getName().toString().startsWith(SettingKeys.PREFIX);
    }
}
