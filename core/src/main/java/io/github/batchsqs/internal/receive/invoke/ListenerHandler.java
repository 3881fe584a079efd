/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import java.util.List;
import java.util.function.Function;

/**
 * Handles the messages of a container.
 *
 * @param payloadReader converts a body; an exception makes that one message a conversion failure
 * @param listener the handler
 * @param interceptors run before (in order) and after (in reverse) each batch
 * @param errorHook notified of each failed message
 * @param <T> the payload type
 */
public record ListenerHandler<T>(
        Function<ReceivedMessage, T> payloadReader,
        BatchListener<T> listener,
        List<BatchInterceptor> interceptors,
        ErrorHook errorHook) {

    /** Copies the interceptors. */
    public ListenerHandler {
        interceptors = List.copyOf(interceptors);
    }
}
