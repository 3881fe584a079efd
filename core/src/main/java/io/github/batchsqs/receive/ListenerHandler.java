/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.receive.invoke.BatchInterceptor;
import io.github.batchsqs.receive.invoke.ErrorHook;
import java.util.List;
import java.util.function.Function;

/**
 * What a container does with the messages of its queue.
 *
 * @param payloadReader converts a body; whatever it throws makes that one message a conversion failure
 * @param listener the handler
 * @param interceptors run before (in order) and after (in reverse) each batch
 * @param errorHook told of each message that failed
 * @param <T> the payload type
 */
public record ListenerHandler<T>(
        Function<ReceivedMessage, T> payloadReader,
        BatchListener<T> listener,
        List<BatchInterceptor> interceptors,
        ErrorHook errorHook) {

    public ListenerHandler {
        interceptors = List.copyOf(interceptors);
    }
}
