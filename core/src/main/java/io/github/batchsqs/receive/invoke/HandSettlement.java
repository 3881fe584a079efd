/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import io.github.batchsqs.receive.fetch.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Settles deliveries at the handler's word; what was settled already stays so. */
public interface HandSettlement {

    /** Deletes them; completes when SQS accepted the last delete. */
    CompletableFuture<Void> delete(List<Delivery> deliveries);

    /** Gives them back; completes when SQS accepted the last visibility change. */
    CompletableFuture<Void> release(List<Delivery> deliveries, Duration after);
}
