/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.endpoint;

import io.github.batchsqs.client.DeadLetterRedrive;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.client.RedriveTask;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerOptions;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Redrives the dead-letter queue of a listener: the one that its queue's redrive policy names, or else the one of
 * {@code failure.dead-letter}.
 *
 * <p>Messages that a listener itself put there carry no note of where SQS took them from, so a task without a destination
 * would fail at them. Therefore the listener's queue is the destination, if the dead-letter queue serves no other; where
 * it serves several, the caller decides.
 */
final class ListenerRedrive {

    /** Names, as a destination, the queue that SQS took each message from. */
    static final String SOURCE = "source";

    private static final int MOST_PER_SECOND = 500;

    private final QueueResolver resolver;
    private final DeadLetterRedrive redrive;

    /** A dead-letter queue, and what SQS says of its tasks, the newest first. */
    record Progress(String deadLetterQueue, List<RedriveTask> tasks) {}

    /** A task that was cancelled. */
    record Cancelled(String deadLetterQueue, long moved) {}

    ListenerRedrive(QueueResolver resolver, DeadLetterRedrive redrive) {
        this.resolver = resolver;
        this.redrive = redrive;
    }

    Progress start(ListenerContainer container, @Nullable String destination, @Nullable Integer messagesPerSecond)
            throws InterruptedException {
        if (messagesPerSecond != null && (messagesPerSecond < 1 || messagesPerSecond > MOST_PER_SECOND)) {
            throw new BadRequestException("messagesPerSecond must be between 1 and " + MOST_PER_SECOND + ", but is "
                    + messagesPerSecond + "; set a value in that range, or leave it out to let SQS decide");
        }
        Queue queue = resolver.resolve(container.options().queue());
        Queue deadLetterQueue = deadLetterQueue(container, queue);
        redrive.start(deadLetterQueue, destination(destination, queue, deadLetterQueue), messagesPerSecond);
        return new Progress(deadLetterQueue.name(), redrive.tasks(deadLetterQueue));
    }

    Progress progress(ListenerContainer container) throws InterruptedException {
        Queue deadLetterQueue =
                deadLetterQueue(container, resolver.resolve(container.options().queue()));
        return new Progress(deadLetterQueue.name(), redrive.tasks(deadLetterQueue));
    }

    Cancelled cancel(ListenerContainer container) throws InterruptedException {
        Progress progress = progress(container);
        String handle = progress.tasks().stream()
                .filter(RedriveTask::running)
                .flatMap(task -> Stream.ofNullable(task.handle()))
                .findFirst()
                .orElseThrow(() -> new BadRequestException("There is no redrive of the queue '"
                        + progress.deadLetterQueue() + "' to cancel: none is RUNNING; start one first"));
        Queue deadLetterQueue = resolver.resolve(progress.deadLetterQueue());
        return new Cancelled(deadLetterQueue.name(), redrive.cancel(deadLetterQueue, handle));
    }

    private @Nullable Queue destination(@Nullable String asked, Queue queue, Queue deadLetterQueue)
            throws InterruptedException {
        if (asked != null) {
            return asked.equals(SOURCE) ? null : resolver.resolve(asked);
        }
        List<String> sources = redrive.sources(deadLetterQueue);
        if (sources.stream().anyMatch(source -> !source.equals(queue.name()))) {
            throw new BadRequestException("destination must be given, because '" + deadLetterQueue.name()
                    + "' is the dead-letter queue of several queues (" + String.join(", ", sources)
                    + "), but is missing; name a queue, or set it to " + SOURCE
                    + " for the queue that SQS took each message from");
        }
        return queue;
    }

    private Queue deadLetterQueue(ListenerContainer container, Queue queue) throws InterruptedException {
        RedrivePolicy policy = resolver.attributes(queue).redrive();
        if (policy != null) {
            return resolver.resolve(policy.deadLetterQueue());
        }
        String set = container.options().failure().deadLetter();
        if (set.equals(ListenerOptions.Failure.REDRIVE_POLICY) || set.equals(ListenerOptions.Failure.NO_DEAD_LETTER)) {
            throw new BadRequestException("The listener '" + container.options().id()
                    + "' must have a dead-letter queue, but its queue '" + queue.name()
                    + "' has no redrive policy; give it one");
        }
        return resolver.resolve(set);
    }
}
