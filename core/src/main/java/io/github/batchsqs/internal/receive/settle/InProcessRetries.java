/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import java.time.Duration;

/**
 * Decides whether a failed message of a FIFO queue is tried again here, without a trip through SQS. Pure.
 *
 * @param maxReceiveCount how many attempts the redrive policy allows
 */
public record InProcessRetries(int maxReceiveCount) {

    /**
     * The maximum delay that a message waits here; a longer one of the backoff is shortened to it, because its group waits too. As
     * long as the default visibility timeout of a queue.
     */
    static final Duration UP_TO = Duration.ofSeconds(30);

    /** How the message is retried. */
    enum Decision {
        /** It and the following messages of its group stay in flight, and it runs again after the delay. */
        RETRY_HERE,
        /** Its attempts are used up: it goes to the dead-letter queue, and its group goes on. */
        DEAD_LETTER,
        /** It and the following messages of its group return to the queue. */
        RETURN_TO_QUEUE
    }

    /**
     * Returns how long the message would wait here. A return to the queue because of a long backoff would raise the receive
     * counts of the following messages and lose the count of its attempts here, so the backoff is shortened instead. A delay
     * that the handler named stays.
     */
    Duration delay(Settlement.Release release) {
        boolean cut = !release.named() && release.after().compareTo(UP_TO) > 0;
        return cut ? UP_TO : release.after();
    }

    /**
     * Decides.
     *
     * @param blamed whether this message failed for sure: it ran alone, or the handler named it
     * @param delay how long it would wait here for its next attempt; see {@link #delay}
     */
    Decision decide(Delivery delivery, boolean blamed, Duration delay, ListenerQueue source, long now) {
        if (delivery.everLost() || delivery.leaseLost(now)) {
            return Decision.RETURN_TO_QUEUE;
        }
        if (blamed && delivery.attempts() >= maxReceiveCount) {
            return Decision.DEAD_LETTER;
        }
        return delay.compareTo(UP_TO) <= 0 && canBeKept(delivery, delay, source, now)
                ? Decision.RETRY_HERE
                : Decision.RETURN_TO_QUEUE;
    }

    /** The lease must last half a lease beyond the start of the next attempt. */
    private static boolean canBeKept(Delivery delivery, Duration delay, ListenerQueue source, long now) {
        long needed = now + delay.toNanos() + source.lease().toNanos() / 2;
        boolean byThisLease = delivery.leaseUntil() - needed >= 0;
        boolean byExtension = delivery.receivedAt()
                        + source.options().visibility().maxExtension().toNanos()
                        - needed
                >= 0;
        return byThisLease || byExtension;
    }
}
