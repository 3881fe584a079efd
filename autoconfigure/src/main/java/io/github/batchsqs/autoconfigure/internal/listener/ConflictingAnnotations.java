/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Refuses listeners with annotations that move them to another thread or that make them listeners of another library.
 * The annotations are known by name, because the libraries are optional.
 */
final class ConflictingAnnotations {

    private static final String ASYNC = "org.springframework.scheduling.annotation.Async";
    private static final List<String> LISTENERS = List.of(
            "io.awspring.cloud.sqs.annotation.SqsListener",
            "org.springframework.amqp.rabbit.annotation.RabbitListener",
            "org.springframework.jms.annotation.JmsListener",
            "org.springframework.kafka.annotation.KafkaListener",
            "org.springframework.pulsar.annotation.PulsarListener");

    private ConflictingAnnotations() {}

    /** Throws if a method of the listener has such an annotation, also through another annotation, or {@code @Async} by its class. */
    static void refuse(AnnotatedListener listener) {
        for (Method method : listener.methods()) {
            String name = listener.beanClass().getName() + "." + method.getName();
            if (isAnnotated(method, ASYNC) || isAnnotated(listener.beanClass(), ASYNC)) {
                throw new SetupException(
                        "The listener method " + name
                                + " is annotated with @Async, itself or by its class. It would return"
                                + " before its work is done: the listener would delete the messages at once, and would"
                                + " not see exceptions.",
                        "Remove @Async from the method and its class. Invocations already run concurrently. A method that"
                                + " continues on other threads can return a CompletableFuture, for which the listener waits.");
            }
            for (String annotation : LISTENERS) {
                if (isAnnotated(method, annotation)) {
                    throw new SetupException(
                            "The listener method " + name + " is annotated with @" + ClassUtils.getShortName(annotation)
                                    + " as well.",
                            "Remove one of the annotations, or give @" + ClassUtils.getShortName(annotation)
                                    + " a method of its own that calls this one.");
                }
            }
        }
    }

    private static boolean isAnnotated(AnnotatedElement element, String annotation) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(annotation);
    }
}
