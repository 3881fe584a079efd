/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves the messages of a dead-letter queue to their queues, by a task that SQS runs.
 *
 * <p>SQS runs one task per dead-letter queue at a time, for at most 36 hours, and remembers the last ten. Every method
 * blocks for one or two round trips and throws {@link QueueCallException} if SQS refuses. Safe for use by any thread.
 */
public interface DeadLetterRedrive {

    /**
     * {@return the names of the queues whose redrive policy names this dead-letter queue}
     *
     * @param deadLetterQueue the dead-letter queue
     * @throws InterruptedException if the calling thread is interrupted
     */
    List<String> sources(Queue deadLetterQueue) throws InterruptedException;

    /**
     * Starts a task.
     *
     * @param deadLetterQueue the dead-letter queue whose messages the task moves
     * @param destination the destination, or {@code null} for the queue from which SQS moved each message; then messages
     *     that were sent to the dead-letter queue directly stay there
     * @param messagesPerSecond the maximum number of messages per second, 1 to 500, or {@code null} for the rate of SQS
     * @throws InterruptedException if the calling thread is interrupted
     */
    void start(Queue deadLetterQueue, @Nullable Queue destination, @Nullable Integer messagesPerSecond)
            throws InterruptedException;

    /**
     * {@return the tasks that SQS remembers, the newest first}
     *
     * @param deadLetterQueue the dead-letter queue
     * @throws InterruptedException if the calling thread is interrupted
     */
    List<RedriveTask> tasks(Queue deadLetterQueue) throws InterruptedException;

    /**
     * Cancels a running task; messages that it has moved stay at the destination.
     *
     * @param deadLetterQueue the dead-letter queue whose messages the task moves
     * @param handle the task's {@link RedriveTask#handle()}
     * @return the approximate number of messages that it has moved
     * @throws InterruptedException if the calling thread is interrupted
     */
    long cancel(Queue deadLetterQueue, String handle) throws InterruptedException;
}
