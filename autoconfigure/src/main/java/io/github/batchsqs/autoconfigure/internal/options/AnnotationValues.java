/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.settings.ListenerSettings;
import io.github.batchsqs.errors.InvalidOptionException;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.util.StringUtils;

/** Resolves the attributes of one annotation, and converts them as Boot converts the settings of files. */
public final class AnnotationValues {

    private final BatchSqsListener annotation;
    private final String method;
    private final ExpressionResolver expressions;

    /** @param method the annotated method, for errors: {@code com.acme.Orders.handle} */
    public AnnotationValues(BatchSqsListener annotation, String method, ConfigurableBeanFactory beans) {
        this.annotation = annotation;
        this.method = method;
        this.expressions = new ExpressionResolver(beans);
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
    LayeredSettings.Layer settings() {
        Map<String, @Nullable Object> attributes = AnnotationUtils.getAnnotationAttributes(annotation);
        Map<String, Object> values = new LinkedHashMap<>();
        Map<String, String> written = new LinkedHashMap<>();
        ListenerSettingsTable.ATTRIBUTES.forEach((attribute, setting) -> {
            String text = expressions
                    .text(String.valueOf(attributes.get(attribute)), key(attribute))
                    .strip();
            if (!text.isEmpty()) {
                values.put(setting, converted(attribute, text, type(setting)));
            }
            written.put(setting, key(attribute));
        });
        return new LayeredSettings.Layer(values, setting -> Objects.requireNonNull(written.get(setting)), false);
    }

    private Object converted(String attribute, String text, TypeDescriptor target) {
        Class<?> type = target.getType();
        try {
            return Objects.requireNonNull(ApplicationConversionService.getSharedInstance()
                    .convert(text, TypeDescriptor.valueOf(String.class), target));
        } catch (ConversionException failure) {
            throw (InvalidOptionException) new InvalidOptionException(
                            key(attribute),
                            type.isEnum()
                                    ? "must be one of " + SettingConversions.text(List.of(type.getEnumConstants()))
                                    : "must be a " + type.getSimpleName(),
                            text,
                            "correct the attribute, or remove it")
                    .initCause(failure);
        }
    }

    /** Returns the type of a setting, with the annotations by which Boot converts it. */
    private static TypeDescriptor type(String setting) {
        var type = TypeDescriptor.valueOf(ListenerSettings.class);
        for (String part : StringUtils.delimitedListToStringArray(setting, ".")) {
            Constructor<?> constructor = type.getType().getDeclaredConstructors()[0];
            List<String> names = Stream.of(type.getType().getRecordComponents())
                    .map(each -> DataObjectPropertyName.toDashedForm(each.getName()))
                    .toList();
            type = new TypeDescriptor(new MethodParameter(constructor, names.indexOf(part)));
        }
        return type;
    }

    /** {@return the name of an attribute in errors} */
    public String key(String attribute) {
        return "@BatchSqsListener(" + attribute + ") on " + method;
    }
}
