/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.InvalidOptionException;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.settings.ListenerSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** The attributes of one annotation, resolved, and its settings bound the way Boot binds those of files. */
final class AnnotationValues {

    private static final String ROOT = "annotation";

    /** Which option each attribute sets; those that are not here name the listener and its queues. */
    private static final Map<String, String> OPTIONS = Map.ofEntries(
            Map.entry("batchSize", "batch-size"),
            Map.entry("batchLinger", "batch-linger"),
            Map.entry("concurrency", "concurrency"),
            Map.entry("pollersMin", "pollers.min"),
            Map.entry("pollersMax", "pollers.max"),
            Map.entry("waitTime", "wait-time"),
            Map.entry("prefetch", "prefetch"),
            Map.entry("visibilityTimeout", "visibility.timeout"),
            Map.entry("acknowledgeMode", "acknowledge.mode"),
            Map.entry("failureIsolate", "failure.isolate"),
            Map.entry("deadLetter", "failure.dead-letter"),
            Map.entry("envelope", "payload.envelope"),
            Map.entry("rateLimit", "rate-limit"),
            Map.entry("fifoBatchGrouping", "fifo.batch-grouping"),
            Map.entry("executor", "executor"),
            Map.entry("queueNotFound", "queue-not-found"),
            Map.entry("autoStartup", "auto-startup"),
            Map.entry("phase", "phase"),
            Map.entry("shutdownTimeout", "shutdown-timeout"));

    private final BatchSqsListener annotation;
    private final String method;
    private final ExpressionResolver expressions;

    /** @param method the annotated method, for errors: {@code com.acme.Orders.handle} */
    AnnotationValues(BatchSqsListener annotation, String method, ExpressionResolver expressions) {
        this.annotation = annotation;
        this.method = method;
        this.expressions = expressions;
    }

    /** The id, or {@code null} if none was given. */
    @Nullable
    String id() {
        String id = expressions.text(annotation.id(), key("id")).strip();
        return id.isEmpty() ? null : id;
    }

    /** The queues; at least one. */
    List<String> queues() {
        var queues = Arrays.stream(annotation.queues())
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

    /** The attributes that are set, as settings. */
    SettingsLayer settings() {
        var values = new LinkedHashMap<String, Object>();
        AnnotationUtils.getAnnotationAttributes(annotation).forEach((attribute, value) -> {
            String option = OPTIONS.get(attribute);
            String text = option == null ? "" : expressions.text((String) value, key(attribute));
            if (option != null && !text.isBlank()) {
                values.put(ROOT + "." + option, text.strip());
            }
        });
        return new SettingsLayer(bound(values), this::keyOfOption, false);
    }

    private ListenerSettings bound(Map<String, Object> values) {
        try {
            return new Binder(new MapConfigurationPropertySource(values))
                    .bindOrCreate(ROOT, Bindable.of(ListenerSettings.class));
        } catch (BindException failure) {
            String option = failure.getName().toString().substring(ROOT.length() + 1);
            Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(
                    failure.getTarget().getType().toClass());
            var broken = new InvalidOptionException(
                    keyOfOption(option),
                    "must be " + expected(type),
                    String.valueOf(values.get(ROOT + "." + option)),
                    "correct it");
            broken.initCause(failure);
            throw broken;
        }
    }

    private static String expected(Class<?> type) {
        if (type == Duration.class) {
            return "a duration such as 200ms, 5s, 1m or PT1M";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        if (type == Double.class) {
            return "a number";
        }
        if (type.isEnum()) {
            return Stream.of(type.getEnumConstants())
                    .map(constant -> constant.toString()
                            .toLowerCase(java.util.Locale.ROOT)
                            .replace('_', '-'))
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        return "a whole number";
    }

    private String keyOfOption(String option) {
        return OPTIONS.entrySet().stream()
                .filter(entry -> entry.getValue().equals(option))
                .map(entry -> key(entry.getKey()))
                .findFirst()
                .orElseGet(() -> key(option));
    }

    /** How errors name an attribute. */
    String key(String attribute) {
        return "@BatchSqsListener(" + attribute + ") on " + method;
    }
}
