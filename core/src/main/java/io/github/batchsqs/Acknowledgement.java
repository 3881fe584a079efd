/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * Settles messages manually, for listeners with {@code acknowledge.mode: manual}.
 *
 * <p>Any thread may call these methods, during the invocation or after it. The first call for a message settles the message. A
 * second call has no effect and returns a future that completes with the first. The listener extends the lease of a message
 * that is never settled up to {@code visibility.max-extension}; then the message becomes visible again. If the handler throws,
 * the listener retries the failed messages that are not settled yet. In the other modes every call throws {@link
 * IllegalStateException}, because the outcome of the invocation settles the messages.
 *
 * <p>A future fails if the listener no longer has a message in flight, for example after a stop has returned it to the queue.
 */
public interface Acknowledgement {

    /**
     * Deletes all messages of the batch.
     *
     * @return a future that completes when SQS has accepted the last delete
     */
    CompletableFuture<Void> acknowledge();

    /**
     * Deletes these messages of the batch.
     *
     * @param messages messages of this batch
     * @return a future that completes when SQS has accepted the last delete
     * @throws IllegalArgumentException if a message is not of this batch
     */
    CompletableFuture<Void> acknowledge(Collection<? extends SqsMessage<?>> messages);

    /**
     * Returns all messages of the batch to the queue, which delivers them again.
     *
     * @param after 0 to 12 hours from now; limited to the maximum of SQS, 12 hours from the receive minus a margin
     * @return a future that completes when SQS has accepted the last change of a visibility timeout
     * @throws IllegalArgumentException if the delay is negative
     */
    CompletableFuture<Void> nack(Duration after);

    /**
     * Returns these messages of the batch to the queue, which delivers them again.
     *
     * @param messages messages of this batch
     * @param after 0 to 12 hours from now; limited to the maximum of SQS, 12 hours from the receive minus a margin
     * @return a future that completes when SQS has accepted the last change of a visibility timeout
     * @throws IllegalArgumentException if the delay is negative, or if a message is not of this batch
     */
    CompletableFuture<Void> nack(Collection<? extends SqsMessage<?>> messages, Duration after);
}
