/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves the messages of a dead-letter queue back, by a task that SQS runs itself.
 *
 * <p>SQS runs one task per dead-letter queue at a time, for at most 36 hours, and remembers the last ten. Every method
 * blocks for one or two round trips and throws {@link QueueCallException} if SQS refuses. Safe for use by any thread.
 */
public interface DeadLetterRedrive {

    /** The names of the queues whose redrive policy names this dead-letter queue. */
    List<String> sources(Queue deadLetterQueue) throws InterruptedException;

    /**
     * Starts a task.
     *
     * @param destination where messages go, or {@code null} for the queue that SQS itself took each from; then those that
     *     were sent to the dead-letter queue by anybody else stay
     * @param messagesPerSecond the most messages per second, 1 to 500, or {@code null} to leave it to SQS
     */
    void start(Queue deadLetterQueue, @Nullable Queue destination, @Nullable Integer messagesPerSecond)
            throws InterruptedException;

    /** The tasks that SQS remembers, the newest first. */
    List<RedriveTask> tasks(Queue deadLetterQueue) throws InterruptedException;

    /**
     * Cancels a running task; what it has moved stays moved.
     *
     * @param handle the task's {@link RedriveTask#handle()}
     * @return how many messages it has moved, about
     */
    long cancel(Queue deadLetterQueue, String handle) throws InterruptedException;
}
