/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.model.sqs.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a seed decides before a history begins.
 *
 * @param calm nothing goes wrong but handlers: then nothing may be handled twice
 * @param deadLetterQueue whether the queue has one
 * @param processes how many instances of the application receive from the queue
 * @param throwing whether the application's converter, interceptor, error hook and events, and its calls, throw anything
 */
record HistoryPlan(
        boolean calm,
        boolean fifo,
        boolean deadLetterQueue,
        int messages,
        int groups,
        int steps,
        QueueSettings queue,
        int processes,
        boolean throwing,
        Executors executor,
        ListenerOptions options) {

    /** How invocations run. */
    enum Executors {
        THREADS,
        /** Throws now and then, before or after it has taken the task. */
        THROWING,
        /** The same, and runs many tasks on the thread that hands them over. */
        CALLER_RUNS
    }

    static final String DEAD_LETTERS = "dead";

    static HistoryPlan of(SplittableRandom random) {
        boolean calm = random.nextInt(3) == 0;
        boolean fifo = random.nextBoolean();
        boolean dead = random.nextInt(3) > 0;
        int messages = 5 + random.nextInt(36);
        Duration lease = Duration.ofSeconds(pick(random, 5, 10, 30));
        QueueSettings queue = QueueSettings.DEFAULT.withVisibilityTimeout(lease);
        if (dead) {
            queue = queue.withRedrive(name(DEAD_LETTERS, fifo), 2 + random.nextInt(4));
        }
        return new HistoryPlan(
                calm,
                fifo,
                dead,
                messages,
                1 + random.nextInt(5),
                50 + random.nextInt(8 * messages),
                queue,
                random.nextInt(3) == 0 ? 2 : 1,
                random.nextInt(3) == 0,
                calm ? Executors.THREADS : Executors.values()[random.nextInt(3)],
                options(random, calm, fifo));
    }

    private static ListenerOptions options(SplittableRandom random, boolean calm, boolean fifo) {
        boolean extend = calm || random.nextInt(4) > 0;
        AcknowledgeMode mode = switch (random.nextInt(7)) {
            case 5 -> AcknowledgeMode.MANUAL;
            case 6 -> AcknowledgeMode.ALWAYS;
            default -> AcknowledgeMode.ON_SUCCESS;
        };
        return ListenerOptions.builder("history", name("orders", fifo))
                .batchSize(pick(random, 1, 3, 10, 25))
                .batchLinger(Duration.ofMillis(pick(random, 0, 0, 200, 2_000)))
                .concurrency(1 + random.nextInt(4))
                .prefetch(pick(random, ListenerOptions.AUTO_PREFETCH, 0, 10, 30))
                .waitTime(Duration.ZERO)
                .fifoGrouping(
                        random.nextBoolean() ? ListenerOptions.FifoGrouping.GROUP : ListenerOptions.FifoGrouping.MIXED)
                .fifoRetry(
                        random.nextInt(3) > 0 ? ListenerOptions.FifoRetry.IN_PROCESS : ListenerOptions.FifoRetry.QUEUE)
                .fifoRetryInProcessUpTo(Duration.ofSeconds(pick(random, 0, 2, 30, 30)))
                .fifoRunLength(Duration.ofMillis(pick(random, 0, 50)))
                .visibility(new ListenerOptions.Visibility(
                        null, extend, Duration.ofSeconds(calm && mode != AcknowledgeMode.MANUAL ? 3_600 : 60)))
                .acknowledge(new ListenerOptions.Acknowledge(
                        mode, Duration.ofMillis(pick(random, 0, 50)), pick(random, 1, 2, 8)))
                .failure(new ListenerOptions.Failure(
                        Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(6)),
                        random.nextInt(3) == 0,
                        List.of(IllegalArgumentException.class),
                        random.nextInt(4) == 0
                                ? ListenerOptions.Failure.NO_DEAD_LETTER
                                : ListenerOptions.Failure.REDRIVE_POLICY))
                .build();
    }

    boolean retriesHere() {
        return fifo && !manual() && options.fifoRetry() == ListenerOptions.FifoRetry.IN_PROCESS;
    }

    /** Whether a message may run although SQS has not yet accepted the delete of the one ahead of it, in one invocation. */
    boolean runsOneByOne() {
        boolean groupRuns = options.batchSize() == 1 && options.fifoRunLength().isPositive() && !manual();
        return groupRuns || options.failure().retryIndividually();
    }

    /**
     * Whether some messages always fail and nothing else does: each of them must run exactly as often as the redrive policy
     * allows, and its neighbours once.
     */
    boolean poisoned() {
        return calm
                && deadLetterQueue
                && retriesHere()
                && options.acknowledge().mode() == AcknowledgeMode.ON_SUCCESS
                && options.failure().deadLetter().equals(ListenerOptions.Failure.REDRIVE_POLICY);
    }

    /** Whether every failed message, and what is behind it, may wait here, by the in-flight limit. */
    boolean waitsForRetries() {
        boolean automatic = options.prefetch() == ListenerOptions.AUTO_PREFETCH; // there may always be more than that
        return automatic || messages <= options.batchSize() + options.prefetch();
    }

    boolean manual() {
        return options.acknowledge().mode() == AcknowledgeMode.MANUAL;
    }

    static String name(String stem, boolean fifo) {
        return fifo ? stem + ".fifo" : stem;
    }

    static int pick(SplittableRandom random, int... values) {
        return values[random.nextInt(values.length)];
    }

    @Override
    public String toString() {
        return (calm ? "calm, " : "wild, ") + messages + " messages"
                + (fifo ? " in " + groups + " groups" : "")
                + ", lease " + queue.visibilityTimeout()
                + ", redrive " + queue.redrive()
                + ", batch-size " + options.batchSize()
                + ", batch-linger " + options.batchLinger()
                + ", concurrency " + options.concurrency()
                + ", prefetch " + options.prefetch()
                + ", grouping " + options.fifoGrouping()
                + ", retry " + options.fifoRetry() + " up to " + options.fifoRetryInProcessUpTo()
                + ", extend " + options.visibility().extend()
                + ", " + options.acknowledge()
                + ", processes " + processes
                + (throwing ? ", parts throw" : "") + ", executor " + executor
                + ", retry individually " + options.failure().retryIndividually()
                + ", dead-letter " + options.failure().deadLetter();
    }
}
