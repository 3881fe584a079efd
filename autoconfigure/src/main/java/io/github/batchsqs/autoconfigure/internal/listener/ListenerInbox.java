/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.listener.ListenerOptions;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Skips messages that have been processed before. The module {@code batchsqs-spring-boot-jdbc} has the bean; without it no
 * listener can set {@code inbox.enabled}.
 */
public interface ListenerInbox {

    /**
     * Returns a listener that calls the given one with the messages that have not been processed before. Called at start, when
     * all singletons exist, once for each listener that sets {@code inbox.enabled}.
     *
     * @throws io.github.batchsqs.errors.BatchSqsException if the inbox cannot work, in words with the remedy
     */
    BatchListener<Object> around(BatchListener<Object> listener, Request request);

    /**
     * A listener that asks for the inbox.
     *
     * @param options its options
     * @param queue the name of its queue
     * @param key the expression of the business key, or {@code null} for the message id
     * @param beanClass the class of the handler methods, or {@code null} if code defines the listener
     * @param methods the handler methods, as they are declared; none if code defines the listener
     */
    record Request(
            ListenerOptions options,
            String queue,
            @Nullable String key,
            @Nullable Class<?> beanClass,
            List<Method> methods) {

        public Request {
            methods = List.copyOf(methods);
        }
    }
}
