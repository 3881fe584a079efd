/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.Invocation;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.Sources;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DispatcherTests {

    private static final Duration LINGER = Duration.ofMillis(200);
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final SettableTime time = new SettableTime();
    private final Deliveries deliveries = Deliveries.fifo(Duration.ofSeconds(30), time);
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final List<List<String>> runs = new ArrayList<>();
    private final List<List<String>> refused = new ArrayList<>();
    private final List<Throwable> unexpected = new ArrayList<>();
    private Runnable during = () -> {};
    private final Invocation invocation = new Invocation() {
        @Override
        public void run(List<Delivery> batch, long slotAt, int slots) {
            runs.add(bodies(batch));
            Runnable now = during;
            during = () -> {};
            now.run();
        }

        @Override
        public void refused(List<Delivery> batch) {
            refused.add(bodies(batch));
        }
    };
    private final InFlightLimit limit = new InFlightLimit(100, MessageMemory.unlimited());
    private final Dispatcher dispatcher = made(
            new GroupedHandoff(2, Duration.ZERO, false, () -> false, PayloadLimit.NONE),
            2,
            tasks::add,
            Dispatcher.HERE,
            invocation,
            () -> {});

    @Test
    void knowsForHowLongTheOldestInvocationRuns() {
        List<Duration> seen = new ArrayList<>();
        Dispatcher[] watched = new Dispatcher[1];
        watched[0] = lingering(tasks::add, running(batch -> {
            time.advance(Duration.ofMinutes(3));
            seen.add(watched[0].longest().running());
        }));
        watched[0].offer(deliveries.receive("a-1"));
        time.advance(Duration.ofMinutes(1));
        assertThat(watched[0].longest().running()).isZero();
        runNext();
        assertThat(seen).containsExactly(Duration.ofMinutes(3));
        assertThat(watched[0].longest().running()).isZero();
    }

    /** An executor that drops tasks. */
    @Test
    void knowsForHowLongTheExecutorHasBegunNothing() {
        offer("a-1");
        time.advance(Duration.ofMinutes(1));
        assertThat(dispatcher.longest().notBegun()).isZero();

        offer("b-1");
        time.advance(Duration.ofMinutes(1));

        assertThat(dispatcher.longest().notBegun()).isEqualTo(Duration.ofMinutes(1));
        runNext();
        assertThat(dispatcher.longest().notBegun()).isZero();
    }

    @Test
    void anInvocationThatThrowsFreesItsSlotToo() {
        Dispatcher throwing = lingering(tasks::add, running(batch -> {
            throw new IllegalStateException("unexpected");
        }));
        throwing.offer(deliveries.receive("a-1", "a-2"));
        Runnable task = tasks.remove();
        assertThatThrownBy(task::run).hasMessage("unexpected");
        assertThat(tasks).hasSize(1);
        assertThat(throwing.active()).isEqualTo(1);
    }

    @Test
    void aGroupGoesOnWhenItsBatchIsSettled() {
        List<Delivery> all = deliveries.receive("a-1", "a-2", "a-3");
        dispatcher.offer(all);
        runNext();
        assertThat(tasks).isEmpty();
        dispatcher.settled(all.subList(0, 2));
        runNext();
        assertThat(runs).containsExactly(List.of("a-1", "a-2"), List.of("a-3"));
    }

    @Test
    void moreConcurrencyStartsMoreAtOnceAndLessLetsThemEnd() {
        offer("a-1", "b-1", "c-1", "d-1", "e-1");
        dispatcher.setConcurrency(4);
        assertThat(tasks).as("on the thread that changes it").hasSize(2);
        dispatcher.tick();
        assertThat(tasks).hasSize(4);
        dispatcher.setConcurrency(1);
        runNext();
        runNext();
        runNext();
        assertThat(tasks).hasSize(1);
        runNext();
        assertThat(tasks).hasSize(1);
    }

    @Test
    void aGroupThatWaitsForARetryHasNoSlotAndTheTimerStartsIt() {
        AtomicInteger told = new AtomicInteger();
        Dispatcher one = made(
                new GroupedHandoff(2, Duration.ZERO, false, () -> false, PayloadLimit.NONE),
                1,
                tasks::add,
                Runnable::run,
                invocation,
                told::incrementAndGet);
        List<Delivery> poison = deliveries.receive("a-1", "a-2");
        one.offer(poison);
        runNext();
        assertThat(one.requeue(poison, 1, time.nanos() + LINGER.toNanos())).isTrue();
        assertThat(one.delayed()).isEqualTo(2);
        one.offer(deliveries.receive("b-1"));
        runNext();
        one.tick();
        assertThat(tasks).isEmpty();
        assertThat(one.delayed()).isEqualTo(2);
        assertThat(told).hasValue(1);

        time.advance(LINGER);
        one.tick();
        runNext();

        assertThat(runs).containsExactly(List.of("a-1", "a-2"), List.of("b-1"), List.of("a-1"));
        assertThat(one.delayed()).isZero();
        assertThat(told).hasValue(2);
    }

    @Test
    void drainedItStartsNothingAnyMore() {
        List<Delivery> all = deliveries.receive("a-1", "a-2", "a-3", "b-1", "c-1");
        dispatcher.offer(all);
        List<String> drained = new ArrayList<>();
        during = () -> {
            during = () -> {
                drained.addAll(bodies(dispatcher.drain(false)));
                offer("d-1");
            };
            runNext();
        };
        runNext();
        assertThat(drained).containsExactly("c-1");
        assertThat(dispatcher.requeue(all.subList(0, 2), 1, time.nanos()))
                .as("a retry")
                .isFalse();
        dispatcher.settled(all);
        dispatcher.tick();
        dispatcher.setConcurrency(9);
        assertThat(tasks).isEmpty();
        assertThat(bodies(dispatcher.drain(true))).containsExactlyInAnyOrder("a-3", "d-1");
    }

    @Test
    void drainsBatchesThatTheExecutorHasNotBegunWithWhatIsBehindThem() throws Exception {
        offer("a-1", "a-2", "a-3", "b-1", "c-1");
        assertThat(bodies(dispatcher.drain(false))).containsExactlyInAnyOrder("a-1", "a-2", "a-3", "b-1", "c-1");
        assertThat(dispatcher.awaitIdle(MINUTE)).isZero();
        runNext();
        runNext();
        assertThat(runs).isEmpty();
        assertThat(dispatcher.active()).isZero();
    }

    @Test
    void runsABatchOnceThoughTheExecutorRunsItAndThrows() {
        Dispatcher twofold = lingering(
                task -> {
                    if (!runs.isEmpty()) {
                        tasks.add(task); // has a slot when the first one is run again
                        return;
                    }
                    task.run();
                    task.run();
                    throw new IllegalStateException("after it ran");
                },
                invocation);
        twofold.offer(deliveries.receive("a-1", "a-2"));
        assertThat(runs).containsExactly(List.of("a-1"));
        assertThat(unexpected).hasSize(1);
        assertThat(refused).isEmpty();
        runNext();
        assertThat(runs).containsExactly(List.of("a-1"), List.of("a-2"));
        assertThat(twofold.active()).isZero();
    }

    @Test
    void doesNotRunABatchThatTheExecutorQueuedBeforeItThrew() {
        Dispatcher twofold = lingering(
                task -> {
                    tasks.add(task);
                    if (tasks.size() == 1) {
                        throw new IllegalStateException("after it was queued");
                    }
                },
                invocation);
        twofold.offer(deliveries.receive("a-1"));
        assertThat(refused).containsExactly(List.of("a-1"));
        assertThat(unexpected).hasSize(1);
        time.advance(Duration.ofSeconds(1));
        twofold.offer(deliveries.receive("a-2"));
        assertThat(twofold.active()).isEqualTo(1);
        runNext();
        assertThat(runs).isEmpty();
        runNext();
        assertThat(runs).containsExactly(List.of("a-2"));
        assertThat(twofold.active()).isZero();
    }

    @Test
    void afterARefusalOneBatchAtATimeIsTriedUntilTheExecutorBeginsIt() {
        List<Boolean> refuses = new ArrayList<>(List.of(true));
        AtomicInteger told = new AtomicInteger();
        Dispatcher refusing = made(
                new LingeringHandoff(1, Duration.ZERO, () -> false, PayloadLimit.NONE),
                2,
                task -> {
                    if (refuses.getFirst()) {
                        throw new RejectedExecutionException("full");
                    }
                    tasks.add(task);
                },
                Dispatcher.HERE,
                invocation,
                told::incrementAndGet);
        refusing.offer(deliveries.receive("a-1", "a-2", "a-3", "a-4", "a-5"));
        assertThat(refused).hasSize(2);
        assertThat(unexpected).as("an executor may refuse").isEmpty();
        assertThat(refusing.refusesUntil() - time.nanos())
                .as("twice the pause")
                .isEqualTo(Duration.ofMillis(200).toNanos());
        refusing.tick();
        assertThat(refused).as("during the pause").hasSize(2);
        time.advance(Duration.ofMillis(100));
        refusing.tick();
        assertThat(refused).hasSize(3);
        assertThat(refusing.refusesUntil() - time.nanos())
                .isEqualTo(Duration.ofMillis(400).toNanos());

        refuses.set(0, false);
        time.advance(Duration.ofMillis(200));
        refusing.tick();
        assertThat(tasks).hasSize(1);
        during = refusing::tick;
        runNext();
        assertThat(tasks).hasSize(1);
        assertThat(runs).containsExactly(List.of("a-4"));
        assertThat(refusing.refusesUntil()).isEqualTo(time.nanos());
        assertThat(told).hasValue(3);
    }

    /** One batch of one message at a time. */
    private Dispatcher lingering(Executor executor, Invocation runs) {
        Handoff handoff = new LingeringHandoff(1, Duration.ZERO, () -> false, PayloadLimit.NONE);
        return made(handoff, 1, executor, Dispatcher.HERE, runs, () -> {});
    }

    private Dispatcher made(
            Handoff handoff, int concurrency, Executor executor, Executor handover, Invocation runs, Runnable watch) {
        ListenerOptions options = ListenerOptions.builder("listener", "orders")
                .concurrency(concurrency)
                .build();
        ListenerQueue source = Sources.of(
                options,
                new Queue("orders", "orders"),
                Duration.ofSeconds(30),
                new InMemoryQueueClient(time),
                event -> {
                    if (event instanceof ListenerEvent.Unexpected(String stage, Throwable failure)) {
                        unexpected.add(failure);
                    }
                },
                time,
                failure -> {});
        return new Dispatcher(source, handoff, limit, executor, handover, runs, watch);
    }

    private static Invocation running(Consumer<List<Delivery>> action) {
        return new Invocation() {
            @Override
            public void run(List<Delivery> batch, long slotAt, int slots) {
                action.accept(batch);
            }

            @Override
            public void refused(List<Delivery> batch) {}
        };
    }

    @Test
    void waitsUntilNoInvocationRunsAndSaysHowManyStillDo() throws Exception {
        offer("a-1");
        assertThat(dispatcher.awaitIdle(0)).isEqualTo(1);
        FutureTask<Integer> stop = new FutureTask<>(() -> dispatcher.awaitIdle(MINUTE));
        Thread waits = Thread.ofVirtual().start(stop);
        Progress.until(() -> waits.getState() == Thread.State.TIMED_WAITING);
        runNext();
        assertThat(Progress.get(stop)).isZero();
    }

    private void offer(String... bodies) {
        dispatcher.offer(deliveries.receive(bodies));
    }

    private void runNext() {
        Objects.requireNonNull(tasks.poll(), "nothing was started").run();
    }
}
