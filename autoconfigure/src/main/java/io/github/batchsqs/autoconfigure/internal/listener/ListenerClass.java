/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.signature.Handler;
import io.github.batchsqs.autoconfigure.internal.signature.TypedHandlers;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * One annotation of a class whose methods take one payload type each.
 *
 * @param beanName the bean that has it
 * @param beanType the type of the bean behind any proxy, with its type arguments
 * @param methods the annotated methods, as they are declared
 * @param defaultMethod the one among them that is the default, or {@code null} if none is
 * @param annotation one of the annotations of the class, merged with those around it
 */
record ListenerClass(
        String beanName,
        ResolvableType beanType,
        List<Method> methods,
        @Nullable Method defaultMethod,
        BatchSqsListener annotation)
        implements AnnotatedListener {

    @Override
    public Handler handler() {
        return TypedHandlers.of(methods, defaultMethod, beanType);
    }

    @Override
    public String describe() {
        return beanClass().getName();
    }

    /**
     * Refuses annotations of a class and of its methods that do not fit together.
     *
     * @param annotated whether the class is annotated
     * @param handlers the methods that are handlers
     * @param listeners the methods that are listeners
     */
    static void refuse(Class<?> type, boolean annotated, Collection<Method> handlers, Collection<Method> listeners) {
        if (annotated && !listeners.isEmpty()) {
            throw new SetupException(
                    "The class " + type.getName() + " and its method "
                            + listeners.iterator().next().getName()
                            + " are both annotated with @BatchSqsListener.",
                    "Keep the annotation of the class, whose methods with @BatchSqsHandler take one payload type each, or"
                            + " that of the method, which takes all messages; or move one of the listeners to another class.");
        }
        if (annotated && handlers.isEmpty()) {
            throw new SetupException(
                    "The class " + type.getName()
                            + " is annotated with @BatchSqsListener, but none of its methods with @BatchSqsHandler.",
                    "Annotate a method for each payload type with @BatchSqsHandler, or annotate a method instead of the"
                            + " class with @BatchSqsListener.");
        }
        if (!annotated && !handlers.isEmpty()) {
            throw new SetupException(
                    "The method " + type.getName() + "."
                            + handlers.iterator().next().getName()
                            + " is annotated with @BatchSqsHandler, but its class is not annotated with"
                            + " @BatchSqsListener.",
                    "Annotate the class with @BatchSqsListener(queue = \"orders\"), or the method with it instead of"
                            + " @BatchSqsHandler.");
        }
    }

    /** Returns the default method, or {@code null} if there is none. */
    static @Nullable Method defaultOf(Class<?> type, List<Method> defaults) {
        if (defaults.size() > 1) {
            throw new SetupException(
                    "The class " + type.getName() + " has more than one default method: "
                            + String.join(
                                    ", ",
                                    defaults.stream()
                                            .map(Method::getName)
                                            .sorted()
                                            .toList()) + ".",
                    "Leave @BatchSqsHandler(isDefault = true) on one of them.");
        }
        return defaults.isEmpty() ? null : defaults.getFirst();
    }
}
