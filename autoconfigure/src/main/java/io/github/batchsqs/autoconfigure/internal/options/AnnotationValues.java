/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.settings.ListenerSettings;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.util.StringUtils;

/**
 * Resolves the attributes of one annotation, and binds them as Boot binds the settings of files.
 *
 * @param method the annotated method, for errors: {@code com.acme.Orders.handle}
 */
public record AnnotationValues(BatchSqsListener annotation, String method, ConfigurableBeanFactory beans) {

    private static final String PREFIX = "batch-sqs-listener";

    /** {@return the id, or {@code null} if there is none} */
    public @Nullable String id() {
        String id = text(annotation.id(), "id");
        return id.isEmpty() ? null : id;
    }

    /** {@return the queues, at least one} */
    public List<String> queues() {
        var queues = Arrays.stream(annotation.queue())
                .flatMap(text -> elements(resolve(text, "queue")))
                .flatMap(text -> Stream.of(StringUtils.commaDelimitedListToStringArray(text)))
                .map(String::strip)
                .toList();
        if (queues.isEmpty() || queues.stream().anyMatch(String::isEmpty)) {
            throw new SetupException(
                    key("queue") + " names no queue.", "Name the queue: @BatchSqsListener(queue = \"orders\").");
        }
        return queues;
    }

    /**
     * Returns the settings of the attributes that are not empty.
     *
     * @throws org.springframework.boot.context.properties.bind.BindException if a value is not of the type of its setting
     */
    LayeredSettings.Layer settings() {
        Map<String, @Nullable Object> attributes = AnnotationUtils.getAnnotationAttributes(annotation);
        Map<String, Object> texts = new HashMap<>();
        ListenerSettingsTable.ATTRIBUTES.forEach((attribute, setting) -> {
            String text = text(String.valueOf(attributes.get(attribute)), attribute);
            if (!text.isEmpty()) {
                texts.put(PREFIX + "." + setting, OriginTrackedValue.of(text, new Written(key(attribute))));
            }
        });
        if (texts.isEmpty()) { // as for most: the binder analyses the class of the settings each time
            return new LayeredSettings.Layer(Map.of(), setting -> setting, false);
        }
        var source = Objects.requireNonNull(
                ConfigurationPropertySource.from(new OriginTrackedMapPropertySource(PREFIX, texts)));
        ListenerSettings bound = new Binder(source).bindOrCreate(PREFIX, ListenerSettings.class);
        return LayeredSettings.Layer.of(
                bound, setting -> String.valueOf(Origin.from(texts.get(PREFIX + "." + setting))), false);
    }

    /** Where an attribute is written, for the errors of the binder. */
    private record Written(String key) implements Origin {
        @Override
        public String toString() {
            return key;
        }
    }

    private String text(String expression, String attribute) {
        return ObjectUtils.getDisplayString(resolve(expression, attribute)).strip();
    }

    /** Returns the texts of the elements of a collection or an array, or the text of another value. */
    private static Stream<String> elements(@Nullable Object value) {
        Object elements = value instanceof Object[] array ? List.of(array) : value;
        return elements instanceof Collection<?> collection
                ? collection.stream().map(ObjectUtils::getDisplayString)
                : Stream.of(ObjectUtils.getDisplayString(value));
    }

    private @Nullable Object resolve(String expression, String attribute) {
        try {
            String text = beans.resolveEmbeddedValue(expression);
            if (text != null && text.contains("${")) { // which a resolver that is not strict leaves in
                throw new IllegalArgumentException("a placeholder has no value");
            }
            var resolver = beans.getBeanExpressionResolver();
            return text == null || resolver == null
                    ? text
                    : resolver.evaluate(text, new BeanExpressionContext(beans, null));
        } catch (RuntimeException failure) {
            throw new SetupException(
                    key(attribute) + " is " + expression + ", which cannot be evaluated: "
                            + NestedExceptionUtils.getMostSpecificCause(failure).getMessage() + ".",
                    "Correct the expression, define the property, or write a default into the placeholder:"
                            + " ${name:default}.",
                    failure);
        }
    }

    /** {@return the name of an attribute in errors} */
    public String key(String attribute) {
        return "@BatchSqsListener(" + attribute + ") on " + method;
    }
}
