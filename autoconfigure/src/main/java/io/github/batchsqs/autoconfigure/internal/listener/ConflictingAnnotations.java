/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Refuses listeners with annotations that move them to another thread or that make them listeners of another library.
 * The annotations are known by name, because the libraries are optional.
 */
final class ConflictingAnnotations {

    /** Those that {@code @EnableAsync} recognizes. */
    private static final List<String> ASYNCHRONOUS = List.of(
            "org.springframework.scheduling.annotation.Async",
            "jakarta.ejb.Asynchronous",
            "jakarta.enterprise.concurrent.Asynchronous");

    private static final List<String> LISTENERS = List.of(
            "io.awspring.cloud.sqs.annotation.SqsListener",
            "io.awspring.cloud.sqs.annotation.SqsHandler",
            "org.springframework.amqp.rabbit.annotation.RabbitListener",
            "org.springframework.amqp.rabbit.annotation.RabbitHandler",
            "org.springframework.jms.annotation.JmsListener",
            "org.springframework.kafka.annotation.KafkaListener",
            "org.springframework.kafka.annotation.KafkaHandler",
            "org.springframework.pulsar.annotation.PulsarListener");

    private ConflictingAnnotations() {}

    /** Throws if a method of the listener or its class has such an annotation, also through another annotation. */
    static void refuse(AnnotatedListener listener) {
        Class<?> type = listener.beanClass();
        listener.methods().forEach(method -> refuse(type, method));
        if (listener instanceof ListenerClass) {
            find(LISTENERS, type).ifPresent(annotation -> {
                throw new SetupException(
                        "The listener class " + type.getName() + " is annotated with " + annotation + " as well.",
                        "Remove one of the annotations, or give " + annotation + " a class of its own.");
            });
        }
    }

    private static void refuse(Class<?> type, Method method) {
        String name = type.getName() + "." + method.getName();
        find(ASYNCHRONOUS, method)
                .ifPresent(annotation -> refuseAsynchronous(name, annotation, "", "Remove " + annotation + "."));
        find(ASYNCHRONOUS, type)
                .ifPresent(annotation -> refuseAsynchronous(
                        name,
                        annotation,
                        " by its class",
                        "Move " + annotation + " from the class to the methods that need it, or move the listener to"
                                + " another class."));
        find(LISTENERS, method).ifPresent(annotation -> {
            throw new SetupException(
                    "The listener method " + name + " is annotated with " + annotation
                            + " as well. The two listeners treat its return value, its exceptions and its"
                            + " acknowledgements differently.",
                    "Remove one of the annotations, or give " + annotation
                            + " a method of its own that calls this one.");
        });
    }

    private static void refuseAsynchronous(String method, String annotation, String where, String remedy) {
        throw new SetupException(
                "The listener method " + method + " is annotated with " + annotation + where
                        + ". It would return before its work is done: the listener would delete the messages at once, and"
                        + " would not see exceptions.",
                remedy
                        + " Invocations already run concurrently, each on a thread of its own: concurrency limits their"
                        + " number, and executor selects the threads. A method that continues on other threads can return"
                        + " a CompletableFuture, for which the listener waits.");
    }

    private static Optional<String> find(List<String> names, AnnotatedElement element) {
        var annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
        return names.stream()
                .filter(annotations::isPresent)
                .findFirst()
                .map(name -> "@" + ClassUtils.getShortName(name));
    }
}
