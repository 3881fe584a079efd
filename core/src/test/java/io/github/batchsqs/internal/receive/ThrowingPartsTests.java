/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * An executor, a converter, an interceptor, an error hook and a handler that each throw at random: every message is
 * handled at last, groups keep their order, and every permit returns.
 */
class ThrowingPartsTests {

    /** No delay, or the second that SQS makes of any fraction. */
    static final Backoff SOON = Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1));

    private static final long SEED = Long.getLong("batchsqs.throwing.seed", 15);

    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    private final AtomicLong draws = new AtomicLong();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final LinkedBlockingQueue<String> handled = new LinkedBlockingQueue<>();

    @Test
    void ofAFifoQueueLeaveNoGroupBehindAndKeepItsOrder() throws Exception {
        int groups = 50;
        int perGroup = 100;
        Queue queue = client.createQueue("orders.fifo");
        List<SendEntry> entries = new ArrayList<>();
        for (int i = 0; i < groups * perGroup; i++) {
            entries.add(
                    new SendEntry(i % groups + "-" + i / groups, Map.of(), null, null, "group" + i % groups, "d" + i));
        }
        client.put(queue, entries);

        List<String> order = handleAll(queue, groups * perGroup);

        for (int group = 0; group < groups; group++) {
            String prefix = group + "-";
            assertThat(order.stream().filter(body -> body.startsWith(prefix)))
                    .as("seed %d, group %d", SEED, group)
                    .containsExactlyElementsOf(IntStream.range(0, perGroup)
                            .mapToObj(i -> prefix + i)
                            .toList());
        }
    }

    /** Returns the messages in the order in which they were handled first. */
    private List<String> handleAll(Queue queue, int messages) throws InterruptedException {
        client.longPolling(true);
        EngineContainer container = container(queue);
        container.start();
        List<String> order = new ArrayList<>();
        while (order.size() < messages) {
            String next = Progress.take(handled);
            if (next == null) {
                throw new AssertionError("Seed " + SEED + ": no progress for a minute after " + order.size() + " of "
                        + messages + " messages; " + container.status());
            }
            order.add(next);
        }
        container.pause(); // an open receive has permits too
        Progress.until(() -> container.status().permits() == 0);
        container.stop();
        client.assertDrained(queue);
        client.assertNothingLost();
        client.assertNoMisuse();
        return order;
    }

    private EngineContainer container(Queue queue) {
        BatchInterceptor interceptor = new BatchInterceptor() {
            @Override
            public void before(MessageBatch<?> batch) throws Exception {
                throwAtRandom(0.02);
            }

            @Override
            public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure)
                    throws Exception {
                throwAtRandom(0.1);
            }
        };
        ErrorHook hook = (name, message, cause) -> throwAtRandomUnchecked(0.5);
        return new EngineContainer(
                ListenerOptions.builder("throwing", queue.name())
                        .failure(new ListenerOptions.Failure(
                                SOON, true, List.of(), ListenerOptions.Failure.NO_DEAD_LETTER))
                        .executor(new ListenerOptions.InvocationExecutor.Custom(throwingExecutor()))
                        .build(),
                new ListenerHandler<>(this::convert, this::handle, List.of(interceptor), hook),
                new ListenerResources(client, client, ListenerEvents.NONE, TimeSource.system()));
    }

    private String convert(ReceivedMessage message) {
        throwAtRandomUnchecked(0.002);
        return message.body();
    }

    @SuppressWarnings("NullAway") // what a handler in a language without nullness may do
    private BatchOutcome handle(MessageBatch<String> batch) throws Exception {
        if (draw() < 0.02) {
            throw PartialBatchException.of(batch.messages(), draw() < 0.5 ? new Indescribable() : null);
        }
        if (draw() < 0.01) {
            throw PartialBatchException.ofIndexes(
                    IntStream.range(0, batch.size()).boxed().toList(), null);
        }
        if (draw() < 0.02) {
            BatchOutcome.Builder outcome = BatchOutcome.perMessage();
            batch.forEach(message -> outcome.retry(message, new IndescribableError()));
            return outcome.build();
        }
        if (draw() < 0.02) { // there is no queue for them, so they return
            BatchOutcome.Builder outcome = BatchOutcome.perMessage();
            batch.forEach(message -> outcome.deadLetter(message, new IndescribableError()));
            return outcome.build();
        }
        if (draw() < 0.01) {
            Thread.currentThread().interrupt();
        }
        throwAtRandom(0.03);
        for (SqsMessage<String> message : batch) {
            if (seen.add(message.id())) {
                handled.add(message.payload());
            }
        }
        return BatchOutcome.done();
    }

    /** Runs tasks on threads of their own; throws at random: instead of it, after it, or after running the task itself. */
    private Executor throwingExecutor() {
        return task -> {
            double way = draw();
            if (way < 0.03) {
                throw new RejectedExecutionException("at random");
            }
            if (way < 0.06) {
                throwAtRandomUnchecked(1);
            }
            if (way < 0.10) {
                task.run();
            } else {
                Thread.ofVirtual().start(task);
            }
            throwAtRandomUnchecked(0.05);
        };
    }

    private void throwAtRandom(double share) throws Exception {
        if (draw() < share / 4) {
            throw new Exception("at random");
        }
        throwAtRandomUnchecked(share * 3 / 4);
    }

    private void throwAtRandomUnchecked(double share) {
        double draw = draw() / share;
        if (draw < 0.25) {
            throw new IllegalStateException("at random");
        }
        if (draw < 0.5) {
            throw new Indescribable();
        }
        if (draw < 0.75) {
            throw new IndescribableError();
        }
        if (draw < 1) {
            throw new StackOverflowError("at random");
        }
    }

    private double draw() {
        return new SplittableRandom(SEED * 31 + draws.incrementAndGet()).nextDouble();
    }

    /** No method of it that a log would call returns. */
    static final class Indescribable extends RuntimeException {

        @Override
        public @Nullable String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new StackOverflowError("no text");
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            throw new IllegalStateException("no cause");
        }
    }

    /** An error of the same kind. */
    static final class IndescribableError extends Error {

        @Override
        public @Nullable String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new StackOverflowError("no text");
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            throw new AssertionError("no cause");
        }
    }
}
