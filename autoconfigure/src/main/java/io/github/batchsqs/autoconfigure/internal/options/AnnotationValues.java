/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.diagnostics.ExpectedValue;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.settings.ListenerSettings;
import io.github.batchsqs.errors.InvalidOptionException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.StringUtils;

/** Resolves the attributes of one annotation; binds its settings as Boot binds those of files. */
public final class AnnotationValues {

    private static final String ROOT = "annotation";

    private final BatchSqsListener annotation;
    private final String method;
    private final ExpressionResolver expressions;
    private final SettingsLayer settings;

    /**
     * @param method the annotated method, for errors: {@code com.acme.Orders.handle}
     * @param known settings by the attributes of which they were made, which are added here: binding takes milliseconds, and
     *     most annotations of an application have the same attributes, or none
     */
    public AnnotationValues(
            BatchSqsListener annotation,
            String method,
            ConfigurableBeanFactory beans,
            Map<Map<String, Object>, ListenerSettings> known) {
        this.annotation = annotation;
        this.method = method;
        this.expressions = new ExpressionResolver(beans);
        this.settings = new SettingsLayer(known.computeIfAbsent(values(), this::bound), this::keyOfSetting, false);
    }

    /** {@return the id, or {@code null} if there is none} */
    public @Nullable String id() {
        String id = expressions.text(annotation.id(), key("id")).strip();
        return id.isEmpty() ? null : id;
    }

    /** {@return the queues, at least one} */
    public List<String> queues() {
        var queues = Arrays.stream(annotation.queue())
                .flatMap(text -> expressions.list(text, key("queue")).stream())
                .flatMap(text -> Stream.of(StringUtils.commaDelimitedListToStringArray(text)))
                .map(String::strip)
                .toList();
        if (queues.isEmpty() || queues.stream().anyMatch(String::isEmpty)) {
            throw new SetupException(
                    key("queue") + " names no queue.", "Name the queue: @BatchSqsListener(queue = \"orders\").");
        }
        return queues;
    }

    /** Returns the settings of the attributes that are not empty. */
    SettingsLayer settings() {
        return settings;
    }

    private Map<String, Object> values() {
        Map<String, @Nullable Object> attributes = AnnotationUtils.getAnnotationAttributes(annotation);
        var values = new LinkedHashMap<String, Object>();
        for (ListenerSetting<?> setting : ListenerSettingsTable.rows()) {
            if (setting.attribute() != null) {
                String text =
                        expressions.text(String.valueOf(attributes.get(setting.attribute())), key(setting.attribute()));
                if (!text.isBlank()) {
                    values.put(ROOT + "." + setting.key(), text.strip());
                }
            }
        }
        return values;
    }

    private ListenerSettings bound(Map<String, Object> values) {
        try {
            var guard = new UnitGuard(
                    BindHandler.DEFAULT,
                    ConfigurationPropertyName.of(ROOT),
                    UnaryOperator.identity(),
                    this::keyOfSetting);
            return new Binder(new MapConfigurationPropertySource(values))
                    .bindOrCreate(ROOT, Bindable.of(ListenerSettings.class), guard);
        } catch (BindException failure) {
            if (failure.getCause() instanceof InvalidOptionException broken) {
                throw broken;
            }
            String option = failure.getName().toString().substring(ROOT.length() + 1);
            String expected = ExpectedValue.of(failure.getTarget().getType().toClass());
            // Without the failure as its cause, whose origin is the map from which the binder read
            throw new InvalidOptionException(
                    keyOfSetting(option),
                    "must be " + (expected == null ? "of another type" : expected),
                    String.valueOf(values.get(ROOT + "." + option)),
                    "correct the attribute, or remove it");
        }
    }

    private String keyOfSetting(String setting) {
        return ListenerSettingsTable.rows().stream()
                .filter(row -> row.key().equals(setting))
                .flatMap(row -> Stream.ofNullable(row.attribute()))
                .findFirst()
                .map(this::key)
                .orElseGet(() -> key(setting));
    }

    /** {@return the name of an attribute in errors} */
    public String key(String attribute) {
        return "@BatchSqsListener(" + attribute + ") on " + method;
    }
}
