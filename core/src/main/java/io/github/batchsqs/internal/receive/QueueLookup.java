/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.receive.settle.InProcessRetries;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.UserInformation;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what a listener reads: its queue, the lease of its messages and its dead-letter queue. Blocks on calls to SQS.
 *
 * @param resolver finds queues by their names
 */
public record QueueLookup(QueueResolver resolver) {

    private static final Logger log = LoggerFactory.getLogger(ListenerContainer.class);

    /**
     * Finds the queue, and warns of options that do not suit it.
     *
     * @throws BatchSqsException if there is no such queue, or it cannot be asked or used
     */
    Source find(ListenerOptions options) throws InterruptedException {
        Queue queue = options.queueNotFound() == ListenerOptions.QueueNotFound.CREATE
                ? resolver.create(options.queue())
                : resolver.resolve(options.queue());
        QueueAttributes attributes = resolver.attributes(queue);
        Duration asked = options.visibility().timeout();
        Duration lease = asked != null ? asked : attributes.visibilityTimeout();
        Check.that(
                lease.isPositive(),
                "visibility.timeout",
                "must be at least 1s, and the queue's own is taken where it is not set",
                lease,
                "set visibility.timeout, or give the queue " + queue.name() + " a visibility timeout");
        Queue deadLetterQueue = deadLetterQueue(options, queue, attributes);
        List<String> unwise = OptionWarnings.find(options, lease, attributes);
        if (isForDevelopment(options, queue) && unwise.remove(OptionWarnings.NO_DEAD_LETTER_QUEUE)) {
            log.info("Listener {}: {}", options.id(), OptionWarnings.NO_DEAD_LETTER_QUEUE);
        }
        if (!unwise.isEmpty()) {
            log.warn("Listener {}: {}", options.id(), String.join("; ", unwise));
        }
        return new Source(
                queue,
                attributes,
                lease,
                deadLetterQueue,
                inProcessRetries(options, attributes, queue.fifo() && deadLetterQueue != null));
    }

    /**
     * Returns whether nobody has decided on the queue's attributes: a listener may create it, with the defaults of SQS, or it is
     * on a server of this machine.
     */
    static boolean isForDevelopment(ListenerOptions options, Queue queue) {
        return options.queueNotFound() == ListenerOptions.QueueNotFound.CREATE
                || queue.url().startsWith("http://localhost:")
                || queue.url().startsWith("http://127.0.0.1:");
    }

    /**
     * Returns the queue that has the dead letters of a listener: the one that it names, otherwise that of the redrive policy, to
     * which SQS moves messages; {@code null} if there is none.
     */
    public static @Nullable String deadLetterQueue(ListenerOptions options, QueueAttributes attributes) {
        String wanted = options.failure().deadLetter();
        if (!List.of(ListenerOptions.Failure.REDRIVE_POLICY, ListenerOptions.Failure.NO_DEAD_LETTER)
                .contains(wanted)) {
            return wanted;
        }
        QueueAttributes.RedrivePolicy redrive = attributes.redrive();
        return redrive == null ? null : redrive.deadLetterQueue();
    }

    private @Nullable Queue deadLetterQueue(ListenerOptions options, Queue queue, QueueAttributes attributes)
            throws InterruptedException {
        String wanted = options.failure().deadLetter();
        String name = deadLetterQueue(options, attributes);
        if (name == null || wanted.equals(ListenerOptions.Failure.NO_DEAD_LETTER)) {
            return null;
        }
        if (wanted.equals(ListenerOptions.Failure.REDRIVE_POLICY)) {
            return redriveQueue(options, queue, name);
        }
        Queue named = resolver.resolve(name);
        Check.that(
                !named.url().equals(queue.url()),
                "failure.dead-letter",
                "must be another queue than the one that the listener reads, which would receive each message again without end",
                UserInformation.mask(name),
                "set it to a queue for dead letters, redrive-policy or none");
        return named;
    }

    /** Returns when failed messages are tried again here, or {@code null} if they return to the queue. */
    private static @Nullable InProcessRetries inProcessRetries(
            ListenerOptions options, QueueAttributes attributes, boolean fifoWithDeadLetters) {
        QueueAttributes.RedrivePolicy redrive = attributes.redrive();
        return fifoWithDeadLetters
                        && redrive != null
                        && options.fifoRetry() == ListenerOptions.FifoRetry.IN_PROCESS
                        && options.acknowledge().mode() != ListenerOptions.AcknowledgeMode.MANUAL
                ? new InProcessRetries(redrive.maxReceiveCount())
                : null;
    }

    private @Nullable Queue redriveQueue(ListenerOptions options, Queue queue, String name)
            throws InterruptedException {
        try {
            return resolver.resolve(name);
        } catch (BatchSqsException e) {
            log.warn(
                    "Listener {}: the dead-letter queue of {} cannot be used ({}); messages that are never to be handled"
                            + " are left to the queue's redrive policy",
                    options.id(),
                    queue.name(),
                    e.getMessage());
            return null;
        }
    }
}
