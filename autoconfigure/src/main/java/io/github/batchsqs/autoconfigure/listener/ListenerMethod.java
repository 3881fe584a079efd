/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.annotation.BatchSqsListener;
import java.lang.reflect.Method;

/**
 * One annotation of a method.
 *
 * @param beanName the bean that has it
 * @param beanClass the class of the bean, behind any proxy
 * @param method the method, as it is declared
 * @param annotation one of its annotations, merged with those around it
 */
record ListenerMethod(String beanName, Class<?> beanClass, Method method, BatchSqsListener annotation) {

    /** Returns the name of the method in errors. */
    String describe() {
        return beanClass.getName() + "." + method.getName();
    }
}
