/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import org.jspecify.annotations.Nullable;

/**
 * Messages of a group that ran and are no longer ours, because they could not be deleted or were returned to the queue manually.
 * Messages ahead of them go on; nothing behind them starts here.
 *
 * @param number the {@linkplain Delivery#number() number} of the first of them
 * @param visibleFrom when SQS may deliver the last of them again, in {@link io.github.batchsqs.internal.support.TimeSource#nanos()}
 */
public record Loss(long number, long visibleFrom) {

    /** Makes the loss of one message. */
    public static Loss of(Delivery delivery, long visibleFrom) {
        return new Loss(delivery.number(), visibleFrom);
    }

    /** Returns the loss of these messages and others. */
    public Loss and(@Nullable Loss other) {
        if (other == null) {
            return this;
        }
        boolean later = other.visibleFrom - visibleFrom > 0;
        return new Loss(Math.min(number, other.number), later ? other.visibleFrom : visibleFrom);
    }

    /** Returns whether the message is the first of them or behind it. */
    public boolean reaches(Delivery delivery) {
        return delivery.number() >= number;
    }
}
