/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * Sends messages in batches.
 *
 * <p>Queues are given by name, URL or ARN. Payloads are written by the codec: JSON, and text as it is. Safe for use by any
 * number of threads.
 *
 * <p>What goes wrong with a message, whether before it was sent or after, fails its future with
 * {@link SendFailedException}; no method throws it but {@link #sendAndWait}. To cancel or time out a future does not take
 * the message back.
 *
 * <p>Futures complete on the thread of the call that carried the message, a virtual one, without any lock. Messages that
 * one thread sends to one message group of a FIFO queue keep their order.
 */
public interface BatchSqsOperations {

    /**
     * Sends a payload.
     *
     * <p>Blocks while the buffer is full, up to {@code max-block}, and for a round trip when the queue is used for the first
     * time. An interrupt meanwhile fails the future, and the thread stays interrupted.
     */
    CompletableFuture<SendResult> send(String queue, Object payload);

    /** Sends a message; see {@link #send(String, Object)}. */
    CompletableFuture<SendResult> send(OutgoingMessage message);

    /**
     * Sends a payload and waits for SQS's answer, up to {@code max-block} and {@code delivery-timeout}.
     *
     * <p>A message that is waited for alone also waits for the linger: many threads that send so share batches, one thread
     * does not. For virtual threads.
     *
     * @throws SendFailedException if it was not accepted
     * @throws InterruptedException if the thread was interrupted; the message may still be sent
     */
    SendResult sendAndWait(String queue, Object payload) throws InterruptedException;

    /** Sends a message and waits for SQS's answer; see {@link #sendAndWait(String, Object)}. */
    SendResult sendAndWait(OutgoingMessage message) throws InterruptedException;

    /**
     * Sends payloads in full batches and waits for all answers.
     *
     * @return a result for each, also when some or all failed
     * @throws InterruptedException if the thread was interrupted; those taken so far may still be sent
     */
    SendResults sendAll(String queue, Collection<?> payloads) throws InterruptedException;

    /** Sends messages, to one queue or several; see {@link #sendAll(String, Collection)}. */
    SendResults sendAll(Collection<OutgoingMessage> messages) throws InterruptedException;

    /**
     * Sends what waits now without linger.
     *
     * @return completes, never exceptionally, when the futures of all that was sent before this call are complete, and what
     *     hangs on them has run; called by what hangs on such a future, it does not wait for those of the same call to SQS
     */
    CompletableFuture<Void> flush();
}
