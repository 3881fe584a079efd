/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import java.util.List;
import java.util.Set;

/**
 * A listener that knows which messages it has processed before. Those whose payloads are stored outside of SQS are
 * deleted without a fetch: the payload of a message that was processed may be gone.
 *
 * @param <T> the payload type
 */
public interface SkippingListener<T> extends BatchListener<T> {

    /** The start has found the queue. Called at each start, before the first batch. */
    void found(Queue queue, QueueAttributes attributes);

    /**
     * Returns the ids of those messages that were processed before. Called on the thread of the invocation, ahead of the fetch; may block.
     *
     * @throws Exception if it is not known; then all messages are tried again
     */
    Set<String> processed(List<ReceivedMessage> messages) throws Exception;
}
