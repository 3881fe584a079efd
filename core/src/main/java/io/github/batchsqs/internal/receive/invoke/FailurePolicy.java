/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.support.Causes;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides the settlement of a message that failed. Pure but for the jitter.
 *
 * @param backoff the delay before the next try, by the number of attempts
 * @param nonRetryable exceptions, also as a cause, after which there is no next try
 * @param random draws the jitter
 */
public record FailurePolicy(Backoff backoff, List<Class<? extends Throwable>> nonRetryable, RandomGenerator random) {

    public FailurePolicy {
        nonRetryable = List.copyOf(nonRetryable);
    }

    /** Returns the settlement of a message that failed for the cause. */
    public Settlement failed(Delivery delivery, Throwable cause, long now) {
        return Causes.isAny(cause, nonRetryable) ? deadLetter(delivery, cause) : retry(delivery, now);
    }

    /** Returns a retry after the backoff, or at the time that the handler chose for the message by its visibility. */
    public Settlement.Release retry(Delivery delivery, long now) {
        Long visibleFrom = delivery.visibleFrom();
        return visibleFrom == null
                ? new Settlement.Release(delay(delivery))
                : new Settlement.Release(Duration.ofNanos(Math.max(0, visibleFrom - now)), true);
    }

    /** Returns a settlement after which the message is never tried again. */
    public Settlement.DeadLetter deadLetter(Delivery delivery, @Nullable Throwable cause) {
        return new Settlement.DeadLetter(cause, delay(delivery));
    }

    private Duration delay(Delivery delivery) {
        return backoff.delay(delivery.attempts(), random);
    }
}
