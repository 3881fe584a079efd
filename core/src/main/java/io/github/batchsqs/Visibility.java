/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * Changes when messages become visible again, for handlers that want to decide this themselves. Most need not: the listener
 * extends the lease of each message until it is settled.
 *
 * <p>The message stays hidden for the given time from the call on. Meanwhile the listener does not extend it; it goes on when
 * half of its own visibility timeout is left, up to {@code visibility.max-extension}, so that the lease of a message in flight
 * does not end before. A time that ends before the present lease needs no call to SQS: a message in flight stays hidden. So
 * no call shortens a lease, whether the listener extended it or an earlier call did; the last call decides when a message that
 * fails is delivered again.
 *
 * <p>If the message fails, it is delivered again at the given time instead of after the backoff, or at once if the time has
 * passed. A delay of {@link BatchOutcome} or {@link Acknowledgement} takes precedence. A message that is done is deleted as
 * ever.
 *
 * <p>Any thread may call these methods, during the invocation or after it. They do not block. A future fails if SQS refuses
 * the change, or if the message is settled or no longer in flight. See {@link SqsMessage#leaseLost()}.
 */
public interface Visibility {

    /**
     * Changes when all messages of the batch become visible again.
     *
     * @param timeout 0 to 12 hours from now; limited to the maximum of SQS, 12 hours from the receive minus a margin
     * @return a future that completes when SQS has accepted the last change
     * @throws IllegalArgumentException if the timeout is negative
     */
    CompletableFuture<Void> changeTo(Duration timeout);

    /**
     * Changes when these messages of the batch become visible again.
     *
     * @param messages messages of this batch
     * @param timeout 0 to 12 hours from now; limited to the maximum of SQS, 12 hours from the receive minus a margin
     * @return a future that completes when SQS has accepted the last change
     * @throws IllegalArgumentException if the timeout is negative, or if a message is not of this batch
     */
    CompletableFuture<Void> changeTo(Collection<? extends SqsMessage<?>> messages, Duration timeout);
}
