/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import io.github.batchsqs.receive.delivery.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Settles deliveries when the handler calls for it; a delivery that is settled already stays so. */
public interface ManualSettlement {

    /** Deletes the messages. The future completes when SQS has accepted the last delete. */
    CompletableFuture<Void> delete(List<Delivery> deliveries);

    /** Returns the messages to the queue. The future completes when SQS has accepted the last visibility change. */
    CompletableFuture<Void> release(List<Delivery> deliveries, Duration after);
}
