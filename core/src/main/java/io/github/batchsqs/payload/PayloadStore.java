/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.payload;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores payloads outside of SQS. The message then has a pointer as its body, and keeps it until it is deleted: a retry, a
 * dead-letter queue and a redrive move the pointer alone.
 *
 * <p>A template asks {@link #offload} about each message, and {@linkplain #upload uploads} the payloads of a call together,
 * before the call. A listener {@linkplain #fetch fetches} the payloads of a batch on the thread of its invocation, just before
 * the handler runs. After SQS has accepted the deletes of messages that need no other try, it reports them with {@link
 * #deleted}.
 *
 * <p>The template's receives fetch the payload of a message when the caller reads it ({@link #fetchForCaller}), and report deletes in
 * the same way.
 *
 * <p>Safe for use by any number of threads.
 */
public interface PayloadStore {

    /**
     * Decides whether the payload of a message is to be stored here. Called on the sender's thread for each message; does no
     * I/O.
     *
     * @param queue the queue's name
     * @param body the body as the codec wrote it
     * @param attributes the message attributes
     * @param bytes the size of the message as SQS counts it: body, and names, types and values of the attributes
     * @return the payload to upload, or {@code null} if the message is sent as it is
     * @throws PayloadStoreException if the message breaks a rule of the store; it is not sent
     */
    @Nullable
    OffloadedPayload offload(String queue, String body, Map<String, MessageAttribute> attributes, long bytes);

    /**
     * Uploads payloads side by side, and returns when all are stored or have failed. A retry of the call uploads only those that
     * failed.
     *
     * @param queue the queue's name
     * @param payloads payloads of this store
     * @return the failures of those that were not stored; {@link PayloadStoreException#retryable()} decides whether the
     *     message is tried again
     * @throws InterruptedException if the calling thread is interrupted
     */
    Map<OffloadedPayload, PayloadStoreException> upload(String queue, List<OffloadedPayload> payloads)
            throws InterruptedException;

    /**
     * Removes payloads some time later: their upload was tried, and their messages are surely not in the queue. Must not block
     * and must not throw.
     *
     * @param queue the queue's name
     * @param payloads payloads of this store
     */
    void discard(String queue, List<OffloadedPayload> payloads);

    /**
     * Returns how many bytes of memory the payload of a received message needs once it is fetched. Does no I/O, and must be quick: it is
     * called under a lock of the listener.
     *
     * @param message the message
     * @return the number of bytes; 0 if the payload is in the message itself, or if its size is not known
     */
    long storedBytes(ReceivedMessage message);

    /** {@return the maximum sum of {@link #storedBytes} of a batch with more than one message} */
    long maxBatchBytes();

    /**
     * Fetches the payloads of a batch side by side, and blocks until there is memory for them and all are there or have failed.
     *
     * @param queue the queue's name
     * @param messages the messages of the batch
     * @return the messages with their payloads; the caller closes it when the handler has returned
     * @throws InterruptedException if the calling thread is interrupted
     */
    FetchedPayloads fetch(String queue, List<ReceivedMessage> messages) throws InterruptedException;

    /**
     * Fetches the payload of a message that a caller has received through the template; called by each call of a method that needs
     * it, and closed when the payload is converted. The caller may be a handler: the memory of the batches that {@link #fetch} has
     * fetched may be released only after this call has returned, so do not wait for it.
     *
     * @param queue the queue's name
     * @param message the message as it was received
     * @return the message with its payload
     * @throws InterruptedException if the calling thread is interrupted
     */
    default FetchedPayloads fetchForCaller(String queue, ReceivedMessage message) throws InterruptedException {
        return fetch(queue, List.of(message));
    }

    /**
     * SQS has accepted the deletes of messages that need their payloads no more. Those that went to a dead-letter queue are not
     * among them. Must not block and must not throw.
     *
     * @param queue the queue's name
     * @param messages the messages as they were received
     */
    void deleted(String queue, List<ReceivedMessage> messages);
}
