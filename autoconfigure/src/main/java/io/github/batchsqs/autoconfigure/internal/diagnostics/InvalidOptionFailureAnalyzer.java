/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import io.github.batchsqs.errors.InvalidOptionException;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
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
        ConfigurationProperty property = property(rootFailure, cause.option());
        if (property != null && property.getOrigin() != null) {
            description += "%n    Origin: %s".formatted(property.getOrigin());
        }
        String misspelled = property == null ? misspelled(cause.option()) : null;
        return new FailureAnalysis(
                description,
                sentence(
                        misspelled == null ? cause.remedy() : "correct %s to %s".formatted(misspelled, cause.option())),
                cause);
    }

    /** Returns the setting as it was written, or the list in which it was. */
    private @Nullable ConfigurationProperty property(Throwable rootFailure, String option) {
        BindException binding = findCause(rootFailure, BindException.class);
        ConfigurationProperty property = binding == null ? null : binding.getProperty();
        if (binding != null && property != null && property.getName().equals(binding.getName())) {
            return property;
        }
        ConfigurationPropertyName name = name(option);
        return name == null
                ? null
                : Stream.iterate(name, each -> !each.isEmpty(), ConfigurationPropertyName::getParent)
                        .flatMap(each -> sources().map(source -> source.getConfigurationProperty(each)))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /** Returns the key beside the setting that was probably meant to be it. */
    private @Nullable String misspelled(String option) {
        ConfigurationPropertyName name = name(option);
        return name == null
                ? null
                : sources()
                        .filter(IterableConfigurationPropertySource.class::isInstance)
                        .flatMap(source -> ((IterableConfigurationPropertySource) source).stream())
                        .filter(each -> each.getParent().equals(name.getParent()))
                        .filter(each -> !each.equals(name) && option.equals(SettingKeys.mostSimilar(each)))
                        .map(SettingKeys::text)
                        .findFirst()
                        .orElse(null);
    }

    /** Returns the name of one of our settings, or {@code null} if it is the attribute of an annotation, for example. */
    private static @Nullable ConfigurationPropertyName name(String option) {
        return option.startsWith(SettingKeys.PREFIX) && ConfigurationPropertyName.isValid(option)
                ? ConfigurationPropertyName.of(option)
                : null;
    }

    private Stream<ConfigurationPropertySource> sources() {
        return StreamSupport.stream(
                ConfigurationPropertySources.get(environment).spliterator(), false);
    }

    private static String sentence(String remedy) {
        var text = Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1);
        return text.endsWith(".") ? text : text + ".";
    }
}
