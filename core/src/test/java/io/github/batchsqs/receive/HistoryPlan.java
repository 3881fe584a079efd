/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.receive.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.testkit.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a seed decides before a history begins.
 *
 * @param calm nothing goes wrong but handlers: then nothing may be handled twice
 * @param deadLetterQueue whether the queue has one
 */
record HistoryPlan(
        boolean calm,
        boolean fifo,
        boolean deadLetterQueue,
        int messages,
        int groups,
        int steps,
        QueueSettings queue,
        ListenerOptions options) {

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
                + ", extend " + options.visibility().extend()
                + ", " + options.acknowledge()
                + ", isolate " + options.failure().isolate()
                + ", dead-letter " + options.failure().deadLetter();
    }
}
