/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.client;

import io.github.batchsqs.client.Queue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One {@code ReceiveMessage}.
 *
 * @param queue where from
 * @param maxMessages 1 to 10
 * @param waitTime the long poll, 0 to 20 s; counted in whole seconds by SQS
 * @param visibilityTimeout how long the messages stay hidden, or {@code null} for the queue's own
 * @param attemptId the {@code ReceiveRequestAttemptId}: fresh for each logical receive, kept over its retries; only on
 *     FIFO queues
 */
public record ReceiveCall(
        Queue queue,
        int maxMessages,
        Duration waitTime,
        @Nullable Duration visibilityTimeout,
        @Nullable String attemptId) {}
