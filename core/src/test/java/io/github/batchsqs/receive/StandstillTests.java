/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerHandler;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A listener whose messages in flight are never settled: the engine, stepped on one thread. */
class StandstillTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofSeconds(5);
    private static final int IN_FLIGHT_LIMIT = 10;

    private final SettableTime time = new SettableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(time);
    private final Queue queue = client.createQueue("orders", QueueSettings.DEFAULT.withVisibilityTimeout(LEASE));
    private final Steps threads = new Steps();
    private final List<MessageBatch<String>> batches = new ArrayList<>();
    private ListenerMemory memory = ListenerMemory.unlimited();
    private Runnable inHandler = () -> {};

    @Test
    void missingAcknowledgementsAreAProblemWhenNothingWasSettledForALease() throws Exception {
        try (LogCapture log = LogCapture.warnings()) {
            Pipeline pipeline = full(manual(options -> options));
            pass(pipeline, LEASE);
            assertThat(problem(pipeline)).isNull();
            assertThat(log.events()).isEmpty();

            pass(pipeline, STEP);

            assertThat(problem(pipeline))
                    .startsWith(
                            "messages in flight have every permit, and none was acknowledged or returned for 35s, which"
                                    + " is longer than the visibility timeout of 30s");
            assertThat(log.events())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "WARN io.github.batchsqs.receive.ListenerContainer Listener orders-listener: receives nothing"
                                    + " from orders: 10 messages in flight have every permit, 10 of them wait for an"
                                    + " acknowledgement, and none was settled for 35s");

            pass(pipeline, Duration.ofMinutes(1));
            assertThat(log.events()).hasSize(2);
        }
    }

    @Test
    void theProblemEndsWithTheFirstSettlement() throws Exception {
        Pipeline pipeline = full(manual(options -> options));
        pass(pipeline, LEASE.plus(STEP));
        assertThat(problem(pipeline)).isNotNull();
        SqsMessage<String> first = batches.getFirst().messages().getFirst();

        var acknowledged = batches.getFirst().acknowledgement().acknowledge(List.of(first));

        assertThat(acknowledged).isNotDone();
        assertThat(problem(pipeline)).isNull();
        pass(pipeline, STEP);
        assertThat(acknowledged).isCompleted();
        pass(pipeline, LEASE.multipliedBy(2));
        assertThat(pipeline.stages().limit().available()).isEqualTo(1);
        assertThat(problem(pipeline)).isNull();
    }

    @Test
    void aListenerThatHasAPermitLeftOrIsPausedHasNoProblem() throws Exception {
        Pipeline pipeline = started(manual(options -> options));
        receive(pipeline, IN_FLIGHT_LIMIT - 1);
        pass(pipeline, LEASE.multipliedBy(2));
        assertThat(problem(pipeline)).isNull();
        receive(pipeline, 1);
        pass(pipeline, LEASE.multipliedBy(2));
        assertThat(problem(pipeline)).isNotNull();
        assertThat(pipeline.status(ContainerState.PAUSED).problem()).isNull();
    }

    @Test
    void missingAcknowledgementsOfAllMemoryAreNamed() throws Exception {
        memory = new ListenerMemory(new MessageMemory(1 << 20));
        try (LogCapture log = LogCapture.warnings()) {
            Pipeline pipeline = started(manual(options -> options));
            receiveLarge(pipeline, IN_FLIGHT_LIMIT);
            assertThat(pipeline.stages().limit().used()).isLessThan(IN_FLIGHT_LIMIT);
            pass(pipeline, LEASE.plus(STEP));

            assertThat(problem(pipeline))
                    .startsWith("messages in flight have at least half of batchsqs.in-flight-bytes, and none was")
                    .contains("or raise batchsqs.in-flight-bytes and the heap if");
            assertThat(log.events())
                    .singleElement()
                    .asString()
                    .contains("9 messages in flight have at least half of batchsqs.in-flight-bytes, 9 of them wait");
        }
    }

    @Test
    void aListenerThatWaitsForTheMemoryOfAnotherHasNoProblem() throws Exception {
        MessageMemory messages = new MessageMemory(1 << 20);
        memory = new ListenerMemory(messages);
        try (LogCapture log = LogCapture.warnings()) {
            Pipeline pipeline = started(manual(options -> options));
            receiveLarge(pipeline, 2); // more than its part
            InFlightLimit other = new InFlightLimit(10, messages);
            other.settleReceive(other.tryAcquire(1), 1, 2 << 20);
            assertThat(pipeline.stages().limit().available()).isZero();

            pass(pipeline, LEASE.multipliedBy(2));

            assertThat(problem(pipeline)).isNull();
            assertThat(log.events()).isEmpty();
        }
    }

    /** The executor may begin the batch later. */
    @Test
    void aListenerWithAnInvocationUnderWayIsLoggedButHasNoProblem() throws Exception {
        try (LogCapture log = LogCapture.warnings()) {
            List<Runnable> kept = new ArrayList<>();
            Pipeline pipeline =
                    full(manual(options -> options.executor(new ListenerOptions.InvocationExecutor.Custom(task -> {
                        if (kept.isEmpty()) {
                            kept.add(task);
                        } else {
                            task.run();
                        }
                    }))));

            pass(pipeline, LEASE.plus(STEP));

            assertThat(pipeline.status(ContainerState.RUNNING).activeInvocations())
                    .isEqualTo(1);
            assertThat(problem(pipeline)).isNull();
            assertThat(log.events()).singleElement().asString().contains("10 messages", "5 of them wait for an");
        }
    }

    @Test
    void anExecutorThatRunsNothingIsLogged() throws Exception {
        try (LogCapture log = LogCapture.warnings()) {
            Pipeline pipeline = full(
                    options(options -> options.executor(new ListenerOptions.InvocationExecutor.Custom(task -> {}))));

            pass(pipeline, LEASE.plus(STEP));

            assertThat(log.events())
                    .singleElement()
                    .asString()
                    .contains(
                            "10 messages in flight have every permit, and the executor has begun none of 2 batches for 35s");
        }
    }

    @Test
    void theTimeOfAHandlerThatRunsIsNoStandstill() throws Exception {
        Pipeline pipeline = started(manual(options -> options));
        inHandler = () -> {
            if (batches.size() == 2) { // the messages of the first wait for their acknowledgements
                pass(pipeline, LEASE.multipliedBy(2));
            }
        };
        receive(pipeline, IN_FLIGHT_LIMIT);
        assertThat(batches).hasSize(2);
        assertThat(problem(pipeline)).isNull();

        pass(pipeline, LEASE.plus(STEP));
        assertThat(problem(pipeline)).isNotNull();
    }

    private ListenerOptions manual(UnaryOperator<ListenerOptions.Builder> settings) {
        return options(options -> settings.apply(options.acknowledge(
                new ListenerOptions.Acknowledge(ListenerOptions.AcknowledgeMode.MANUAL, Duration.ofMillis(50)))));
    }

    private ListenerOptions options(UnaryOperator<ListenerOptions.Builder> settings) {
        return settings.apply(ListenerOptions.builder("orders-listener", queue.name())
                        .concurrency(2)
                        .batchSize(5)
                        .prefetch(0))
                .build();
    }

    /** A listener that has received as many messages as it may have in flight, and more wait in the queue. */
    private Pipeline full(ListenerOptions options) throws InterruptedException {
        Pipeline pipeline = started(options);
        receive(pipeline, IN_FLIGHT_LIMIT);
        client.put(queue, "another");
        return pipeline;
    }

    private void receive(Pipeline pipeline, int messages) throws InterruptedException {
        client.put(queue, IntStream.range(0, messages).mapToObj(i -> "m" + i).toArray(String[]::new));
        assertThat(pipeline.stages().fetcher().pollOnce()).isEqualTo(messages);
        pass(pipeline, STEP);
    }

    private void receiveLarge(Pipeline pipeline, int messages) throws InterruptedException {
        client.put(
                queue,
                IntStream.range(0, messages)
                        .mapToObj(i -> "x".repeat(100 << 10))
                        .toArray(String[]::new));
        while (pipeline.stages().fetcher().pollOnce() > 0) {
            pass(pipeline, STEP);
        }
    }

    private Pipeline started(ListenerOptions options) {
        Pipeline pipeline = new Pipeline(
                options,
                new ListenerHandler<>(
                        ReceivedMessage::body,
                        batch -> {
                            batches.add(batch);
                            inHandler.run();
                            return BatchOutcome.done();
                        },
                        List.of(),
                        ErrorHook.NONE),
                new ListenerResources(client, client, ListenerEvents.NONE, time, Map.of(), memory),
                new Source(queue, LEASE, null, null),
                threads,
                new SplittableRandom(1));
        pipeline.start();
        return pipeline;
    }

    private void pass(Pipeline pipeline, Duration duration) {
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(STEP)) {
            time.advance(STEP);
            pipeline.stages().dispatcher().tick();
            threads.runAll();
            Objects.requireNonNull(threads.timer).run();
            for (Batcher<?, ?> batcher : pipeline.stages().settler().batchers()) {
                var ignored = batcher.flush();
            }
            threads.runAll();
        }
    }

    private static @Nullable String problem(Pipeline pipeline) {
        return pipeline.status(ContainerState.RUNNING).problem();
    }

    /** Runs tasks one after another on the thread of the test, and no loop and no poller at all. */
    private static final class Steps implements EngineThreads {

        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

        @Nullable
        Runnable timer;

        void runAll() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }

        @Override
        public Executor virtual(String role) {
            return role.equals("poller") ? poller -> {} : tasks::add;
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
        public void every(String role, Duration interval, Runnable task) {
            timer = task;
        }

        @Override
        public void close() {}
    }
}
