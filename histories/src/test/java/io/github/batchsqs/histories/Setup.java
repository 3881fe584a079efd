/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.listener.ListenerOptions.Failure;
import io.github.batchsqs.listener.ListenerOptions.FifoGrouping;
import io.github.batchsqs.listener.ListenerOptions.Visibility;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** The queue and the listener of a history. */
record Setup(
        boolean fifo,
        Duration lease,
        int maxReceives,
        int instances,
        int carriers,
        boolean manual,
        boolean byType,
        boolean customExecutor,
        long handlerNanos,
        ListenerOptions options) {

    static final String QUEUE = "orders";
    static final String DEAD_LETTERS = "orders-dlq";
    static final Duration MAX_EXTENSION = Duration.ofMinutes(10);

    static Setup of(RandomGenerator random) {
        boolean fifo = random.nextInt(3) == 0;
        Duration lease = Duration.ofSeconds(List.of(2, 5, 10, 30).get(random.nextInt(4)));
        boolean manual = random.nextInt(4) == 0;
        boolean byType = random.nextInt(4) == 0 && (!manual || Ingredient.isUsed(Ingredient.BY_TYPE_MANUAL));
        int instances = List.of(1, 1, 1, 2, 2, 3, 4).get(random.nextInt(7));
        int[] batchSizes = {1, 3, 10};
        int batchSize = batchSizes[random.nextInt(3)];
        boolean auto = random.nextInt(4) == 0 && Ingredient.isUsed(Ingredient.AUTO);
        boolean customExecutor = random.nextInt(5) == 0;
        ListenerOptions.Builder options = ListenerOptions.builder("history", queue(fifo))
                .batchSize(batchSize)
                .batchLinger(random.nextInt(3) == 0 && batchSize > 1 ? Duration.ofMillis(200) : Duration.ZERO)
                .pollers(1, 1 + random.nextInt(4))
                .waitTime(Duration.ofSeconds(random.nextInt(3) == 0 ? 1 : 20))
                .visibility(new Visibility(random.nextBoolean() ? lease : null, MAX_EXTENSION))
                .acknowledge(new Acknowledge(
                        manual ? AcknowledgeMode.MANUAL : AcknowledgeMode.ON_SUCCESS, Duration.ofMillis(50)))
                .failure(new Failure(
                        Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(4)),
                        random.nextBoolean(),
                        List.of(),
                        random.nextBoolean() ? Failure.REDRIVE_POLICY : Failure.NO_DEAD_LETTER))
                .fifoGrouping(random.nextBoolean() ? FifoGrouping.GROUP : FifoGrouping.MIXED)
                .shutdownTimeout(Duration.ofSeconds(1 + random.nextInt(20)));
        if (!auto) {
            options = options.concurrency(1 + random.nextInt(8));
        }
        if (!customExecutor && random.nextInt(4) == 0) {
            options = options.executor(new ListenerOptions.InvocationExecutor.Platform());
        }
        return new Setup(
                fifo,
                lease,
                2 + random.nextInt(3),
                instances,
                1 + random.nextInt(3),
                manual,
                byType,
                customExecutor,
                random.nextLong(400_000_000L),
                options.build());
    }

    static String queue(boolean fifo) {
        return fifo ? QUEUE + ".fifo" : QUEUE;
    }

    String queue() {
        return queue(fifo);
    }

    String deadLetters() {
        return fifo ? DEAD_LETTERS + ".fifo" : DEAD_LETTERS;
    }

    boolean deadLettersItself() {
        return options.failure().deadLetter().equals(Failure.REDRIVE_POLICY);
    }
}
