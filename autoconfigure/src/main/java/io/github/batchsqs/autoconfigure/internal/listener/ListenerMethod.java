/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.signature.Handler;
import io.github.batchsqs.autoconfigure.internal.signature.Signature;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.ResolvableType;

/**
 * One annotation of a method.
 *
 * @param beanName the bean that has it
 * @param beanType the type of the bean behind any proxy, with its type arguments
 * @param method the method, as it is declared
 * @param annotation one of its annotations, merged with those around it
 */
record ListenerMethod(String beanName, ResolvableType beanType, Method method, BatchSqsListener annotation)
        implements AnnotatedListener {

    @Override
    public List<Method> methods() {
        return List.of(method);
    }

    @Override
    public Handler handler() {
        return Signature.of(method, beanType);
    }

    @Override
    public String describe() {
        return beanClass().getName() + "." + method.getName();
    }
}
