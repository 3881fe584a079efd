/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.receive.invoke.NotRunException;
import io.github.batchsqs.internal.receive.settle.InProcessRetries;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A message in every group that always fails: the engine, stepped on one thread, with calls that take their time. */
class PoisonedGroupsTests {

    private static final int MAX_RECEIVE_COUNT = 3;
    private static final int EACH = 20;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration ROUND_TRIP = Duration.ofMillis(20);

    private final SettableTime time = new SettableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(time);
    private final Queue dead = client.createQueue("dead.fifo");
    private Queue queue = queue("orders.fifo", MAX_RECEIVE_COUNT);
    private int maxReceiveCount = MAX_RECEIVE_COUNT;
    private final Steps threads = new Steps();
    private MessageMemory memory = MessageMemory.unlimited();
    /** The receive counts of a message's runs. */
    private final Map<String, List<Integer>> runs = new TreeMap<>();

    /** The backoff grows up to 5 minutes, beyond the longest delay here, and each return to the queue would be counted. */
    @ParameterizedTest
    @ValueSource(ints = {5, 7, 10, 20})
    void aPoisonOfAnyMaxReceiveCountRunsAsOftenAtTheDefaultsAndItsNeighboursOnce(int count) throws Exception {
        queue = queue("more.fifo", count);
        maxReceiveCount = count;
        Pipeline pipeline = pipeline(options -> options);
        client.putInGroup(queue, "g", bodies("g", 3));

        runUntil(pipeline, this::drained);

        assertThat(runs).hasSize(EACH);
        runs.forEach((body, receiveCounts) -> assertThat(receiveCounts)
                .as(body)
                .isEqualTo(Collections.nCopies(body.endsWith("poison") ? count : 1, 1)));
        assertThat(client.visible(dead)).extracting(StoredMessage::body).containsExactly("g-3-poison");
    }

    /** An automatic limit grows by the messages that wait, and never beyond its maximum. */
    @Test
    void groupsThatWaitDoNotKeepOtherGroupsFromBeingReceived() throws Exception {
        Pipeline pipeline = pipeline(options -> options.failure(retryAfter(Duration.ofSeconds(30))));
        putPoisoned(10);
        runUntil(pipeline, () -> pipeline.dispatcher.delayed() == 10 * 7);
        long waitingSince = time.nanos();
        client.putInGroup(
                queue,
                "healthy",
                IntStream.range(0, EACH).mapToObj(i -> "healthy-" + i).toArray(String[]::new));

        runUntil(pipeline, () -> runs.containsKey("healthy-" + (EACH - 1)));

        assertThat(Duration.ofNanos(time.nanos() - waitingSince)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void largeGroupsThatWaitLeaveHalfOfTheMemoryToOtherGroups() throws Exception {
        MessageMemory messages = new MessageMemory(1 << 20);
        memory = messages;
        try (LogCapture log = LogCapture.warnings()) {
            Pipeline pipeline = pipeline(options -> options.failure(retryAfter(Duration.ofSeconds(30))));
            for (int group = 0; group < 10; group++) {
                String[] bodies = new String[4];
                for (int i = 0; i < bodies.length; i++) {
                    bodies[i] = "g" + group + "-" + i + "-" + "x".repeat(50_000) + (i == 0 ? "-poison" : "");
                }
                client.putInGroup(queue, "g" + group, bodies);
            }
            runUntil(pipeline, () -> runs.size() == 10);
            assertThat(50_000L * pipeline.dispatcher.delayed()).isBetween(200_000L, 1L << 19);
            long waitingSince = time.nanos();
            client.putInGroup(queue, "healthy", "healthy-0", "healthy-1", "healthy-2");

            runUntil(pipeline, () -> runs.containsKey("healthy-2"));

            assertThat(Duration.ofNanos(time.nanos() - waitingSince)).isLessThan(Duration.ofSeconds(10));
            assertThat(log.event("return to orders.fifo"))
                    .contains(
                            "messages that wait for retries have half of the in-flight limit",
                            "batchsqs.in-flight-bytes (1MB)");
        }
    }

    @Test
    void groupsBeyondTheInFlightLimitReturnToTheQueueWhichIsLoggedOnceAMinute() throws Exception {
        try (LogCapture log = LogCapture.warnings()) {
            Pipeline pipeline =
                    pipeline(options -> options.concurrency(2).prefetch(0).failure(retryAfter(Duration.ofSeconds(1))));
            putPoisoned(10);

            runUntil(pipeline, this::drained);

            assertThat(client.visible(dead)).hasSize(10);
            assertThat(log.event("return to orders.fifo"))
                    .contains(
                            "Listener orders: a failed message",
                            "messages that wait for retries have half of the in-flight limit (2)",
                            "raise prefetch, concurrency or batch-size");
        }
    }

    /** The room of a group is its own from the failure on, although it goes on only when the message ahead is deleted. */
    @Test
    void groupsWhoseDeletesTakeLongWaitWithinHalfOfTheInFlightLimit() throws Exception {
        AtomicBoolean deletesFail = new AtomicBoolean(true);
        AtomicInteger peak = new AtomicInteger();
        Pipeline pipeline = pipeline(
                options -> options.concurrency(4).batchSize(2).prefetch(0).failure(retryAfter(Duration.ofSeconds(30))),
                this::nameEveryPoison);
        client.faults(Faults.failing(Operation.DELETE, call -> deletesFail.get() ? call.connectionFailed() : null));
        IntStream.range(0, 3).forEach(i -> client.putInGroup(queue, "a" + i, "a" + i + "-poison"));
        runUntil(pipeline, () -> pipeline.dispatcher.delayed() == 3);
        IntStream.range(0, 2).forEach(i -> client.putInGroup(queue, "b" + i, "b" + i, "b" + i + "-poison"));
        runUntil(pipeline, () -> runs.containsKey("b1-poison"));
        deletesFail.set(false);

        runUntil(pipeline, () -> {
            peak.accumulateAndGet(pipeline.dispatcher.delayed(), Math::max);
            return drained();
        });

        assertThat(pipeline.limit.max()).isEqualTo(8);
        assertThat(peak.get()).isEqualTo(4);
        assertThat(client.visible(dead)).hasSize(5);
    }

    /** Each of its runs would need what another instance holds; the listener waits for that at the last receive. */
    @Test
    void aMessageThatHasNotRunUsesNoAttemptNorDoThoseBehindIt() throws Exception {
        Pipeline pipeline = pipeline(options -> options.batchSize(10), batch -> {
            var outcome = BatchOutcome.perMessage();
            for (SqsMessage<String> message : batch) {
                if (message.receiveCount() < MAX_RECEIVE_COUNT) {
                    outcome.retry(message, new NotRunException("busy", Duration.ofSeconds(15)));
                } else {
                    run(batch);
                    outcome.done(message);
                }
            }
            return outcome.build();
        });
        client.putInGroup(queue, "g", "g-1", "g-2");

        runUntil(pipeline, this::drained);

        assertThat(client.visible(dead)).isEmpty();
        assertThat(runs).containsOnlyKeys("g-1", "g-2");
    }

    @ParameterizedTest(name = "retried individually {0}, named {1}")
    @CsvSource({"true, false", "false, false", "false, true"})
    void twoPoisonsOfABatchRunTheirNeighboursTwiceAtMost(boolean individually, boolean named) throws Exception {
        Pipeline pipeline = pipeline(
                options -> options.batchSize(10).failure(retryAfter(Duration.ofSeconds(1), individually)),
                named ? this::nameEveryPoison : this::failAsAWhole);
        client.putInGroup(queue, "g", bodies("g", 2, 5));

        runUntil(pipeline, this::drained);

        assertThat(client.visible(dead)).extracting(StoredMessage::body).containsExactly("g-2-poison", "g-5-poison");
        assertThat(runs).hasSize(EACH).allSatisfy((body, receiveCounts) -> {
            assertThat(receiveCounts).as(body).containsOnly(1);
            assertThat(receiveCounts.size())
                    .as(body)
                    .isBetween(
                            body.endsWith("poison") ? MAX_RECEIVE_COUNT : 1,
                            body.endsWith("poison") ? MAX_RECEIVE_COUNT : 2);
        });
    }

    private Queue queue(String name, int receives) {
        return client.createQueue(name, QueueSettings.DEFAULT.withRedrive("dead.fifo", receives));
    }

    private boolean drained() {
        return client.visible(queue).isEmpty() && client.inFlight(queue).isEmpty();
    }

    private void putPoisoned(int groups) {
        for (int group = 0; group < groups; group++) {
            String name = "g" + group;
            client.putInGroup(queue, name, bodies(name, 3));
        }
    }

    private static String[] bodies(String group, int... poisons) {
        return IntStream.range(0, EACH)
                .mapToObj(i -> group + "-" + i + (IntStream.of(poisons).anyMatch(place -> place == i) ? "-poison" : ""))
                .toArray(String[]::new);
    }

    private BatchOutcome failAsAWhole(MessageBatch<String> batch) {
        List<SqsMessage<String>> poisons = run(batch);
        if (!poisons.isEmpty()) {
            throw new TestQueue.Refused("poison");
        }
        return BatchOutcome.done();
    }

    private BatchOutcome nameEveryPoison(MessageBatch<String> batch) {
        List<SqsMessage<String>> poisons = run(batch);
        if (!poisons.isEmpty()) {
            throw PartialBatchException.of(poisons, new TestQueue.Refused("poison"));
        }
        return BatchOutcome.done();
    }

    /** Runs each message; returns those that fail. */
    private List<SqsMessage<String>> run(MessageBatch<String> batch) {
        List<SqsMessage<String>> poisons = new ArrayList<>();
        for (SqsMessage<String> message : batch) {
            runs.computeIfAbsent(message.payload(), body -> new ArrayList<>()).add(message.receiveCount());
            if (message.payload().endsWith("poison")) {
                poisons.add(message);
            }
        }
        return poisons;
    }

    private void runUntil(Pipeline pipeline, BooleanSupplier reached) throws InterruptedException {
        for (int round = 0; !reached.getAsBoolean(); round++) {
            assertThat(round)
                    .as("rounds, while there is still %s", client.inFlight(queue))
                    .isLessThan(100_000);
            receive(pipeline);
            threads.runAll();
            time.advance(ROUND_TRIP);
            pipeline.dispatcher.tick();
            pipeline.settler.batchers().forEach(Batcher::tick);
            pipeline.settler.extender().tick();
            threads.runAll();
        }
    }

    /** One receive with the permits that are free. */
    private void receive(Pipeline pipeline) throws InterruptedException {
        pipeline.valve.changedDownstream(); // adapts the limit
        int permits = pipeline.limit.tryAcquire(SqsLimits.MAX_PER_CALL);
        if (permits > 0) {
            long calledAt = time.nanos();
            List<ReceivedMessage> messages =
                    client.receive(new ReceiveCall(queue, permits, Duration.ZERO, LEASE, null));
            InFlightLedger.Received received = pipeline.ledger.receive(messages, calledAt, Duration.ZERO);
            pipeline.limit.settleReceive(permits, received.kept(), received.bytes());
            pipeline.take(received);
        }
    }

    private Pipeline pipeline(UnaryOperator<ListenerOptions.Builder> settings) {
        return pipeline(settings, this::failAsAWhole);
    }

    private Pipeline pipeline(UnaryOperator<ListenerOptions.Builder> settings, BatchListener<String> listener) {
        ListenerOptions options = settings.apply(
                        ListenerOptions.builder("orders", queue.name()).batchSize(1))
                .build();
        client.faults(new Faults() {
            @Override
            public void after(Call call) {
                time.advance(ROUND_TRIP);
            }
        });
        return new Pipeline(
                options,
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                new ListenerResources(client, client, ListenerEvents.NONE, time, Map.of(), memory, null),
                new Source(queue, new QueueAttributes(LEASE, null), LEASE, dead, new InProcessRetries(maxReceiveCount)),
                threads);
    }

    private static ListenerOptions.Failure retryAfter(Duration delay) {
        return retryAfter(delay, false);
    }

    private static ListenerOptions.Failure retryAfter(Duration delay, boolean individually) {
        return new ListenerOptions.Failure(
                new Backoff(delay, 1, delay, false), individually, List.of(), ListenerOptions.Failure.REDRIVE_POLICY);
    }

    /** Runs tasks one after another on the thread of the test, and no loop at all. */
    private final class Steps extends ContainerThreads {

        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

        Steps() {
            super("orders", ClientThreads.of(client), time, failure -> {
                throw new IllegalStateException("The engine failed", failure);
            });
        }

        void runAll() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }

        @Override
        Executor virtual(String role) {
            return tasks::add;
        }

        @Override
        Executor calls() {
            return tasks::add;
        }

        @Override
        Executor visibilityCalls() {
            return tasks::add;
        }
    }
}
