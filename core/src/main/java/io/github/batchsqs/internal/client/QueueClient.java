/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.client;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import java.util.List;

/**
 * The seam to SQS: everything above it knows nothing of the AWS SDK.
 *
 * <p>Every call blocks its (virtual) thread for one round trip, a receive for up to its wait as well, and ends early with
 * {@link InterruptedException} when the thread is interrupted. A call that failed as a whole throws
 * {@link QueueCallException}. Batch calls take 1 to 10 entries and return results in the order of the entries. Safe for use by
 * any number of threads.
 */
public interface QueueClient {

    /** The name of the client that listeners and sends use unless they name another. */
    String DEFAULT_NAME = "default";

    /**
     * Receives up to {@code maxMessages} messages, and waits for the first as long as the call allows.
     *
     * @param call the queue, the maximum number of messages, the wait and the visibility timeout
     * @return the messages in the order of SQS; empty if the wait passed without one
     * @throws InterruptedException if the calling thread is interrupted
     */
    List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException;

    /**
     * Deletes messages by receipt handle.
     *
     * @param queue the queue
     * @param receiptHandles 1 to 10 receipt handles
     * @return the result of each handle, in their order
     * @throws InterruptedException if the calling thread is interrupted
     */
    List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException;

    /**
     * Changes when messages become visible again.
     *
     * @param queue the queue
     * @param changes 1 to 10 changes
     * @return the result of each change, in their order
     * @throws InterruptedException if the calling thread is interrupted
     */
    List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes) throws InterruptedException;

    /**
     * Sends messages.
     *
     * @param queue the queue
     * @param entries 1 to 10 messages
     * @return the result of each message, in their order
     * @throws InterruptedException if the calling thread is interrupted
     */
    List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException;
}
