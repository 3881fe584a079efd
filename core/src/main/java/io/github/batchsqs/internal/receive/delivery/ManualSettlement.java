/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Settles deliveries when the handler calls for it, and changes their visibility; a delivery that is settled already stays so.
 */
public interface ManualSettlement {

    /** Deletes the messages. The future completes when SQS has accepted the last delete. */
    CompletableFuture<Void> delete(List<Delivery> deliveries);

    /** Returns the messages to the queue. The future completes when SQS has accepted the last visibility change. */
    CompletableFuture<Void> release(List<Delivery> deliveries, Duration after);

    /**
     * Hides the messages for this time, or longer if their leases last longer, and delivers those that fail again after it. The
     * future completes when SQS has accepted the last change.
     */
    CompletableFuture<Void> changeVisibility(List<Delivery> deliveries, Duration timeout);
}
