/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a queue that the listeners need.
 *
 * @param visibilityTimeout how long a received message stays hidden unless extended
 * @param redrive the redrive policy, or {@code null} without a redrive policy
 */
public record QueueAttributes(
        Duration visibilityTimeout, @Nullable RedrivePolicy redrive) {

    /**
     * A queue's redrive policy.
     *
     * @param deadLetterQueue the URL of the dead-letter queue, which is in the account and region of the queue
     * @param maxReceiveCount how often a message is delivered before SQS moves it there
     */
    public record RedrivePolicy(String deadLetterQueue, int maxReceiveCount) {}
}
