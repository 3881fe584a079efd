/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The delete of a message, or the change of its visibility timeout.
 *
 * @param queue the queue of the message
 * @param message the message as it was received
 * @param timeout the new visibility timeout; {@code null} for a delete
 * @param future completes when SQS has accepted it
 */
record Settling(
        Queue queue, ReceivedMessage message, @Nullable Duration timeout, CompletableFuture<Void> future) {

    /** What entries of one call have in common. */
    record Target(Queue queue, boolean delete) {

        String operation() {
            return delete ? PullCalls.DELETE : PullCalls.CHANGE_VISIBILITY;
        }
    }

    String handle() {
        return message.receiptHandle();
    }

    Target target() {
        return new Target(queue, timeout == null);
    }
}
