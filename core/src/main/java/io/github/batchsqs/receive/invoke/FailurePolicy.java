/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a message that failed. Pure but for the jitter.
 *
 * <p>SQS lets a message be hidden for 12 hours from its receive, so a delay is capped by what is left of them.
 *
 * @param backoff the delay before the next try, by receive count
 * @param nonRetryable exceptions, also as a cause, after which there is no next try
 * @param random draws the jitter
 */
public record FailurePolicy(Backoff backoff, List<Class<? extends Throwable>> nonRetryable, RandomGenerator random) {

    private static final Duration MAX_HIDDEN = Duration.ofHours(12);
    private static final int MAX_CAUSES = 32;

    public FailurePolicy {
        nonRetryable = List.copyOf(nonRetryable);
    }

    /** The message failed for the cause. */
    public Settlement failed(Delivery delivery, Throwable cause, long now) {
        return isNonRetryable(cause) ? deadLetter(delivery, cause, now) : retry(delivery, now);
    }

    /** The message is tried again after the backoff. */
    public Settlement.Release retry(Delivery delivery, long now) {
        return new Settlement.Release(delay(delivery, now));
    }

    /** The message is tried again after the given time. */
    public Settlement.Release retry(Delivery delivery, Duration after, long now) {
        return new Settlement.Release(capped(delivery, after, now));
    }

    /** The message is never tried again. */
    public Settlement.DeadLetter deadLetter(Delivery delivery, @Nullable Throwable cause, long now) {
        return new Settlement.DeadLetter(cause, delay(delivery, now));
    }

    private Duration delay(Delivery delivery, long now) {
        return capped(delivery, backoff.delay(Math.max(1, delivery.message().receiveCount()), random), now);
    }

    private static Duration capped(Delivery delivery, Duration wanted, long now) {
        Duration left = MAX_HIDDEN.minusNanos(now - delivery.receivedAt());
        Duration capped = wanted.compareTo(left) < 0 ? wanted : left;
        return capped.isNegative() ? Duration.ZERO : capped;
    }

    private boolean isNonRetryable(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            Throwable current = cause;
            if (nonRetryable.stream().anyMatch(type -> type.isInstance(current))) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
