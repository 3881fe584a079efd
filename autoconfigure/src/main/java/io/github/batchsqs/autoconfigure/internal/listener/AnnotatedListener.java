/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.signature.Handlers;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * One annotation of a method, or of a class whose methods take one payload type each.
 *
 * @param beanName the bean that has it
 * @param beanType the type of the bean behind any proxy, with its type arguments
 * @param annotation the annotation, merged with those around it
 * @param ofClass whether it is one of the class
 * @param methods the methods that handle the messages, as they are declared
 * @param defaultMethod the one of a class that is the default, or {@code null} if none is
 */
record AnnotatedListener(
        String beanName,
        ResolvableType beanType,
        BatchSqsListener annotation,
        boolean ofClass,
        List<Method> methods,
        @Nullable Method defaultMethod) {

    /**
     * Analyses the methods.
     *
     * @throws io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException if they cannot be handlers
     */
    Handlers handlers() {
        return ofClass ? Handlers.byType(methods, defaultMethod, beanType) : Handlers.of(methods.getFirst(), beanType);
    }

    /** Returns the name of the method or class in errors. */
    String describe() {
        return beanClass().getName() + (ofClass ? "" : "." + methods.getFirst().getName());
    }

    /** Returns the class of the bean, behind any proxy. */
    Class<?> beanClass() {
        return beanType.toClass();
    }
}
