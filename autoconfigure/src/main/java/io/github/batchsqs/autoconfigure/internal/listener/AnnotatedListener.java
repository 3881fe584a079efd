/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.signature.Handler;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.ResolvableType;

/** One annotation of a bean, with the methods that handle the messages. */
sealed interface AnnotatedListener permits ListenerMethod, ListenerClass {

    /** Returns the name of the bean. */
    String beanName();

    /** Returns the type of the bean behind any proxy, with its type arguments. */
    ResolvableType beanType();

    /** Returns the annotation, merged with those around it. */
    BatchSqsListener annotation();

    /** Returns the methods, as they are declared. */
    List<Method> methods();

    /**
     * Analyses the methods.
     *
     * @throws io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException if they cannot be handlers
     */
    Handler handler();

    /** Returns the name of the method or class in errors. */
    String describe();

    /** Returns the class of the bean, behind any proxy. */
    default Class<?> beanClass() {
        return beanType().toClass();
    }
}
