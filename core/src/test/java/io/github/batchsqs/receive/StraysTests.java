/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerHandler;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.receive.settle.InProcessRetries;
import io.github.batchsqs.support.Alarm;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.StoredMessage;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine, stepped on one thread, with an error at a line between two stages: as if the memory had ended there. */
class StraysTests {

    private static final Duration LEASE = Duration.ofMinutes(5);
    /** Longer than a batch or a message is nowhere. */
    private static final Duration PAUSE = Strays.PATIENCE.plusSeconds(10);

    private static final Duration STEP = Duration.ofSeconds(1);
    private static final String ENGINE = "io.github.batchsqs.receive.";

    private final SettableTime time = new SettableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(time);
    private final Queue dead = client.createQueue("dead.fifo");
    private final Queue queue = client.createQueue(
            "orders.fifo", QueueSettings.DEFAULT.withVisibilityTimeout(LEASE).withRedrive("dead.fifo", 10));
    private final Queue standard = client.createQueue("orders", QueueSettings.DEFAULT.withVisibilityTimeout(LEASE));
    private final Steps threads = new Steps();
    private final FailingTime failingTime = new FailingTime();
    private final List<String> handled = new ArrayList<>();
    private final List<Throwable> unexpected = new ArrayList<>();

    @AfterEach
    void nothingIsLost() {
        client.assertNothingLost();
        client.assertNoMisuse();
    }

    @ParameterizedTest
    @CsvSource({
        "handoff.Dispatcher, begin, 1",
        "handoff.Dispatcher, takeDue, 1",
        "handoff.Dispatcher, takeDue, 2",
        "handoff.Dispatcher, takeDue, 3",
        "handoff.Dispatcher, nanosUntilDue, 1",
        "handoff.Dispatcher, end, 1",
        "handoff.Dispatcher, end, 2",
        "settle.Deleter, add, 1",
        "settle.Deleter, add, 2",
        "batch.Batcher, tryAddAll, 1",
        "batch.Batcher, tryAddAll, 2",
        "batch.Batcher, settle, 1",
        "delivery.InFlightLedger, receive, 1",
        "invoke.Admission, convert, 1",
        "settle.VisibilityExtender, tick, 1",
    })
    void anErrorAtALineOfTheEngineKeepsNoMessageNoPermitAndNoGroup(String in, String method, int look)
            throws Exception {
        Pipeline pipeline = pipeline(queue, options -> options.batchSize(2), collect());
        client.putInGroup(queue, "a", "a-1", "a-2", "a-3", "a-4");
        client.putInGroup(queue, "b", "b-1", "b-2", "b-3");
        failingTime.failAt(ENGINE + in, method, look);
        runUntil(pipeline, () -> drained(queue) && released(pipeline));

        assertThat(failingTime.looksLeft).as("looks that were left").isZero();
        assertThat(pipeline.stages().ledger().size()).isZero();
        assertThat(handled.stream().distinct().filter(body -> body.startsWith("a")))
                .containsExactly("a-1", "a-2", "a-3", "a-4");
        assertThat(handled.stream().distinct().filter(body -> body.startsWith("b")))
                .containsExactly("b-1", "b-2", "b-3");
    }

    @Test
    void nothingBehindADeleteThatAnErrorPreventsUsesUpItsAttempts() throws Exception {
        Queue few = client.createQueue(
                "few.fifo",
                QueueSettings.DEFAULT
                        .withVisibilityTimeout(Duration.ofSeconds(30))
                        .withRedrive("dead.fifo", 3));
        Pipeline pipeline = pipeline(few, options -> options.batchSize(2), collect());
        client.putInGroup(few, "a", "a-1", "a-2", "a-3", "a-4");
        failingTime.failAt(ENGINE + "settle.Deleter", "add", 1);
        runUntil(pipeline, () -> drained(few) && released(pipeline));

        assertThat(handled.stream().distinct()).containsExactly("a-1", "a-2", "a-3", "a-4");
        assertThat(drained(dead)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "orders, batch.Batcher, tryAddAll, 1",
        "orders, batch.Batcher, settle, 1",
        "orders, batch.Batcher, completionOf, 1",
        "orders, settle.VisibilityChanger, makeCall, 1",
        "orders.fifo, batch.Batcher, tryAddAll, 1",
        "orders.fifo, batch.Batcher, settle, 1",
        "orders.fifo, batch.Batcher, completionOf, 1",
        "orders.fifo, settle.VisibilityChanger, makeCall, 1",
    })
    void anErrorWhileMessagesReturnToTheQueueKeepsNoMessageNoPermitAndNoGroup(
            String name, String in, String method, int look) throws Exception {
        Queue of = name.equals(queue.name()) ? queue : standard;
        AtomicBoolean down = new AtomicBoolean(true);
        Pipeline pipeline = failingWhile(down, of);
        client.putInGroup(of, "a", "a-1", "a-2", "a-3", "a-4");
        failingTime.failAt(ENGINE + in, method, look);
        runUntil(pipeline, () -> failingTime.looksLeft == 0);
        down.set(false);
        runUntil(pipeline, () -> drained(of) && released(pipeline));

        assertThat(pipeline.stages().ledger().size()).isZero();
        assertThat(pipeline.stages().ledger().returning()).isEmpty();
        assertThat(handled.stream().distinct()).containsExactlyInAnyOrder("a-1", "a-2", "a-3", "a-4");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingOfAGroupRunsBehindAMessageThatAnErrorKeptFromBeingSettled(boolean individually) throws Exception {
        Pipeline pipeline = pipeline(
                queue,
                options -> options.batchSize(individually ? 4 : 1)
                        .failure(new ListenerOptions.Failure(
                                EscapingFailuresTests.SOON,
                                individually,
                                List.of(),
                                ListenerOptions.Failure.NO_DEAD_LETTER)),
                batch -> {
                    if (batch.size() > 1) {
                        throw new IllegalStateException("one by one");
                    }
                    handled.addAll(batch.payloads());
                    return BatchOutcome.done();
                });
        client.putInGroup(queue, "a", "a-1", "a-2", "a-3", "a-4");
        failingTime.failAt(ENGINE + "settle.Deleter", "delete", 1);
        runUntil(pipeline, () -> drained(queue) && released(pipeline));

        assertThat(handled).containsExactly("a-1", "a-2", "a-3", "a-4");
    }

    @Test
    void aStrayIsLoggedAndCountedAndReturnsToAStandardQueue() throws Exception {
        AtomicBoolean down = new AtomicBoolean(true);
        Pipeline pipeline = failingWhile(down, standard);
        client.put(standard, "a", "b", "c");
        failingTime.failAt(ENGINE + "batch.Batcher", "completionOf", 1);
        try (LogCapture log = LogCapture.warnings()) {
            runUntil(pipeline, () -> failingTime.looksLeft == 0);
            down.set(false);
            runUntil(pipeline, () -> drained(standard) && released(pipeline));
            assertThat(log.events()).anySatisfy(line -> assertThat(line).contains("in no stage"));
        }
        assertThat(handled).contains("a", "b", "c");
        assertThat(unexpected).anySatisfy(failure -> assertThat(failure).hasMessageContaining("no stage"));
    }

    @Test
    void aHandlerThatRunsAndABatchThatWaitsKeepTheirMessages() throws Exception {
        Pipeline pipeline = pipeline(queue, options -> options.batchSize(1).concurrency(1), batch -> {
            if (handled.isEmpty()) {
                handled.addAll(batch.payloads());
                for (int i = 0; i < 30 * 60; i++) { // all the others wait
                    threads.tickTimers();
                }
                return BatchOutcome.done();
            }
            handled.addAll(batch.payloads());
            return BatchOutcome.done();
        });
        threads.timers = () -> tick(pipeline);
        client.putInGroup(queue, "a", "a-1", "a-2", "a-3");
        client.putInGroup(queue, "b", "b-1", "b-2");
        runUntil(pipeline, () -> drained(queue));

        assertThat(handled).containsExactlyInAnyOrder("a-1", "a-2", "a-3", "b-1", "b-2");
        assertThat(unexpected).isEmpty();
    }

    /** When the dead-letter queue has accepted the message ahead, the rest of the batch is settled on the thread of that call. */
    @Test
    void messagesBehindADeadLetterThatAnErrorKeptFromBeingSettledReturnToTheQueue() throws Exception {
        Pipeline pipeline = pipeline(
                queue,
                options -> options.batchSize(4),
                batch -> {
                    if (batch.payloads().contains("a-1")) {
                        return BatchOutcome.perMessage()
                                .deadLetter(batch.messages().get(0), null)
                                .done(batch.messages().get(1))
                                .retry(batch.messages().get(2))
                                .othersDone()
                                .build();
                    }
                    handled.addAll(batch.payloads());
                    return BatchOutcome.done();
                },
                new InProcessRetries(dead, 10, Duration.ofMinutes(1)));
        client.putInGroup(queue, "a", "a-1", "a-2", "a-3", "a-4");
        failingTime.failAt(ENGINE + "settle.GroupSettlement", "retryHere", 1);
        runUntil(pipeline, () -> drained(queue) && released(pipeline));

        assertThat(failingTime.looksLeft).as("looks that were left").isZero();
        assertThat(handled.stream().distinct()).containsExactly("a-3", "a-4");
        assertThat(client.visible(dead)).extracting(StoredMessage::body).containsExactly("a-1");
        assertThat(pipeline.stages().ledger().size()).isZero();
    }

    @Test
    void messagesThatWaitBehindADeadLetterAreNoStrays() throws Exception {
        Pipeline pipeline = pipeline(
                queue,
                options -> options.failure(new ListenerOptions.Failure(
                        EscapingFailuresTests.SOON,
                        false,
                        List.of(IllegalArgumentException.class),
                        ListenerOptions.Failure.REDRIVE_POLICY)),
                batch -> {
                    handled.addAll(batch.payloads());
                    if (handled.size() == 3) {
                        throw PartialBatchException.of(
                                List.of(batch.messages().getFirst()), new IllegalArgumentException("poison"));
                    }
                    return BatchOutcome.done();
                });
        long openFrom = time.nanos() + LEASE.minusMinutes(1).toNanos();
        client.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.SEND && time.nanos() - openFrom < 0) {
                    throw new IllegalStateException("down");
                }
            }
        });
        client.putInGroup(queue, "a", "a-1", "a-2", "a-3");
        runUntil(pipeline, () -> drained(queue));

        assertThat(handled).containsExactly("a-1", "a-2", "a-3");
        assertThat(client.visible(dead)).hasSize(1);
        assertThat(client.calls(Operation.CHANGE_VISIBILITY)).isLessThan(10);
    }

    @Test
    void batchesThatWaitForTheThreadThatHandsThemOverAreHandedOverOnce() throws Exception {
        List<Runnable> given = new ArrayList<>();
        Pipeline pipeline = pipeline(
                standard,
                options -> options.batchSize(1)
                        .concurrency(3)
                        .executor(new ListenerOptions.InvocationExecutor.Custom(task -> {
                            given.add(task);
                            task.run();
                        })),
                batch -> {
                    if (handled.isEmpty()) {
                        threads.tickFor(PAUSE);
                    }
                    handled.addAll(batch.payloads());
                    return BatchOutcome.done();
                });
        threads.timers = () -> tick(pipeline);
        client.put(standard, "a", "b", "c");
        runUntil(pipeline, () -> drained(standard));

        assertThat(given).hasSize(3);
        assertThat(handled).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(unexpected).isEmpty();
    }

    @Test
    void aPauseOfTheWholeProcessMakesNoStrays() throws Exception {
        Pipeline pipeline = pipeline(standard, options -> options.batchSize(1), collect());
        AtomicBoolean down = new AtomicBoolean(true);
        client.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.DELETE && down.get()) {
                    throw new IllegalStateException("down");
                }
            }
        });
        client.put(standard, "a");
        runUntil(pipeline, () -> handled.size() == 1);
        threads.timers = () -> tick(pipeline);
        threads.tickFor(PAUSE);
        time.advance(LEASE.multipliedBy(2));
        tick(pipeline);

        assertThat(unexpected).noneSatisfy(failure -> assertThat(failure).hasMessageContaining("no stage"));
        down.set(false);
        runUntil(pipeline, () -> drained(standard));
    }

    private boolean drained(Queue of) {
        return client.visible(of).isEmpty() && client.inFlight(of).isEmpty();
    }

    /** Returns whether every permit and every slot is free. */
    private static boolean released(Pipeline pipeline) {
        return pipeline.stages().limit().used() == 0
                && pipeline.stages().dispatcher().active() == 0;
    }

    private BatchListener<String> collect() {
        return batch -> {
            handled.addAll(batch.payloads());
            return BatchOutcome.done();
        };
    }

    private void runUntil(Pipeline pipeline, BooleanSupplier reached) throws InterruptedException {
        for (int round = 0; !reached.getAsBoolean(); round++) {
            assertThat(round)
                    .as("rounds; handled %s, unexpected %s", handled, unexpected)
                    .isLessThan(3_600);
            survive(() -> {
                int ignored = pipeline.stages().fetcher().pollOnce();
            });
            threads.runAll();
            tick(pipeline);
            threads.runAll();
        }
    }

    private void tick(Pipeline pipeline) {
        time.advance(STEP);
        survive(() -> pipeline.stages().dispatcher().tick());
        pipeline.stages().settler().batchers().forEach(batcher -> survive(batcher::tick));
        survive(() -> {
            pipeline.stages().extender().tick();
            pipeline.stages().strays().tick();
        });
    }

    /** As the loops of the engine do. */
    private void survive(Step step) {
        try {
            step.run();
        } catch (Throwable e) {
            unexpected.add(e);
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private Pipeline pipeline(
            Queue of, UnaryOperator<ListenerOptions.Builder> settings, BatchListener<String> listener) {
        return pipeline(of, settings, listener, null);
    }

    private Pipeline pipeline(
            Queue of,
            UnaryOperator<ListenerOptions.Builder> settings,
            BatchListener<String> listener,
            @Nullable InProcessRetries retries) {
        ListenerOptions options =
                settings.apply(ListenerOptions.builder("orders", of.name())).build();
        ListenerEvents events = new EventMethods() {
            @Override
            public void unexpected(String stage, Throwable failure) {
                unexpected.add(failure);
            }
        };
        return new Pipeline(
                options,
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                new ListenerResources(client, client, events, failingTime),
                new Source(of, LEASE, of.fifo() ? dead : null, retries),
                threads,
                new SplittableRandom(1));
    }

    /** A listener whose handler fails, and whose messages SQS does not take back, for as long as it is down. */
    private Pipeline failingWhile(AtomicBoolean down, Queue of) throws Exception {
        Pipeline pipeline = pipeline(of, options -> options.batchSize(2), batch -> {
            if (down.get()) {
                throw new IllegalStateException("down");
            }
            handled.addAll(batch.payloads());
            return BatchOutcome.done();
        });
        client.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.CHANGE_VISIBILITY && down.get()) {
                    throw new IllegalStateException("down");
                }
            }
        });
        return pipeline;
    }

    /** Throws once, at a look of one method at the clock. */
    private final class FailingTime implements TimeSource {

        private String in = "";
        private String method = "";
        private int looksLeft;

        void failAt(String type, String name, int look) {
            in = type.replace("receive.batch.", "batch.");
            method = name;
            looksLeft = look;
        }

        @Override
        public long nanos() {
            if (looksLeft > 0 && calledByMethod() && --looksLeft == 0) {
                throw new OutOfMemoryError("as if");
            }
            return time.nanos();
        }

        private boolean calledByMethod() {
            return StackWalker.getInstance()
                    .walk(frames -> frames.skip(2)
                            .limit(4)
                            .anyMatch(frame -> frame.getClassName().equals(in)
                                    && frame.getMethodName().equals(method)));
        }

        @Override
        public Instant now() {
            return time.now();
        }
    }

    /** Runs tasks one after another on the thread of the test, and no loop at all. */
    private final class Steps implements EngineThreads {

        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        private Runnable timers = () -> {};

        void runAll() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                survive(task::run);
            }
        }

        void tickTimers() {
            timers.run();
        }

        void tickFor(Duration duration) {
            for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(STEP)) {
                tickTimers();
            }
        }

        @Override
        public Executor virtual(String role) {
            return tasks::add;
        }

        /** Calls run where they are made, so that they go on while a handler runs. */
        @Override
        public Executor calls() {
            return task -> survive(task::run);
        }

        @Override
        public Executor platform(String role, int size) {
            return tasks::add;
        }

        @Override
        public void resizePool(int size) {}

        @Override
        public Alarm alarm(String role, Runnable look) {
            return Alarm.NONE;
        }

        @Override
        public void every(String role, Duration interval, Runnable task) {}

        @Override
        public void close() {}
    }
}
