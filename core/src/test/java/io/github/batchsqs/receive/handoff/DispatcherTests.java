/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.handoff;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.TimeSource;
import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DispatcherTests {

    private static final Duration LINGER = Duration.ofMillis(200);
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final SettableTime time = new SettableTime();
    private final Deliveries deliveries = Deliveries.fifo(Duration.ofSeconds(30), time);
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final List<List<String>> runs = new ArrayList<>();
    private final List<List<String>> refused = new ArrayList<>();
    private final Dispatcher.Invocation invocation = new Dispatcher.Invocation() {
        @Override
        public void run(List<Delivery> batch) {
            runs.add(bodies(batch));
        }

        @Override
        public void refused(List<Delivery> batch, RejectedExecutionException cause) {
            refused.add(bodies(batch));
        }
    };
    private final Dispatcher dispatcher =
            new Dispatcher(new GroupedHandoff(2, Duration.ZERO, false), 2, tasks::add, invocation, time);

    @Test
    void startsWhatIsDueUpToTheConcurrency() {
        offer("a-1", "b-1", "c-1");
        assertThat(tasks).hasSize(2);
        assertThat(dispatcher.active()).isEqualTo(2);
        assertThat(dispatcher.waiting()).isEqualTo(1);
    }

    @Test
    void anInvocationThatEndsStartsTheNext() {
        offer("a-1", "b-1", "c-1");
        runNext();
        assertThat(tasks).hasSize(2);
        runNext();
        runNext();
        assertThat(runs).containsExactly(List.of("a-1"), List.of("b-1"), List.of("c-1"));
        assertThat(dispatcher.active()).isZero();
    }

    @Test
    void knowsForHowLongTheOldestInvocationRuns() {
        List<Duration> seen = new ArrayList<>();
        Dispatcher[] watched = new Dispatcher[1];
        watched[0] = new Dispatcher(
                new LingeringHandoff(1, Duration.ZERO),
                1,
                tasks::add,
                new Dispatcher.Invocation() {
                    @Override
                    public void run(List<Delivery> batch) {
                        time.advance(Duration.ofMinutes(3));
                        seen.add(watched[0].longestRunning());
                    }

                    @Override
                    public void refused(List<Delivery> batch, RejectedExecutionException cause) {}
                },
                time);
        watched[0].offer(deliveries.receive("a-1"));
        time.advance(Duration.ofMinutes(1));
        assertThat(watched[0].longestRunning()).isZero();
        runNext();
        assertThat(seen).containsExactly(Duration.ofMinutes(3));
        assertThat(watched[0].longestRunning()).isZero();
    }

    @Test
    void anInvocationThatThrowsFreesItsPlaceToo() {
        Dispatcher throwing = new Dispatcher(
                new LingeringHandoff(1, Duration.ZERO),
                1,
                tasks::add,
                new Dispatcher.Invocation() {
                    @Override
                    public void run(List<Delivery> batch) {
                        throw new IllegalStateException("unexpected");
                    }

                    @Override
                    public void refused(List<Delivery> batch, RejectedExecutionException cause) {}
                },
                time);
        throwing.offer(deliveries.receive("a-1", "a-2"));
        Runnable task = tasks.remove();
        assertThatThrownBy(task::run).hasMessage("unexpected");
        assertThat(tasks).hasSize(1);
        assertThat(throwing.active()).isEqualTo(1);
    }

    @Test
    void aLaneGoesOnWhenItIsReleased() {
        offer("a-1", "a-2", "a-3");
        runNext();
        assertThat(tasks).isEmpty();
        dispatcher.release(List.of("a"));
        runNext();
        assertThat(runs).containsExactly(List.of("a-1", "a-2"), List.of("a-3"));
    }

    @Test
    void whatIsTakenBackRunsFirstWhenItsLaneIsReleased() {
        List<Delivery> first = deliveries.receive("a-1", "a-2", "a-3");
        dispatcher.offer(first);
        runNext();
        dispatcher.takeBack(first.subList(1, 2));
        assertThat(tasks).isEmpty();
        dispatcher.release(List.of("a"));
        runNext();
        assertThat(runs).containsExactly(List.of("a-1", "a-2"), List.of("a-2", "a-3"));
    }

    @Test
    void moreConcurrencyStartsMoreAtOnceAndLessLetsThemEnd() {
        offer("a-1", "b-1", "c-1", "d-1", "e-1");
        dispatcher.setConcurrency(4);
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
    void theTimerStartsWhatHasLingered() {
        Dispatcher lingering = new Dispatcher(new LingeringHandoff(10, LINGER), 2, tasks::add, invocation, time);
        lingering.offer(deliveries.receive("a-1"));
        lingering.tick();
        assertThat(tasks).isEmpty();
        time.advance(LINGER);
        lingering.tick();
        assertThat(tasks).hasSize(1);
    }

    @Test
    void drainedItStartsNothingAnyMore() {
        offer("a-1", "a-2", "a-3", "b-1", "c-1");
        assertThat(bodies(dispatcher.drain(false))).containsExactly("c-1");
        offer("d-1");
        runNext();
        runNext();
        dispatcher.release(List.of("a", "b"));
        dispatcher.tick();
        dispatcher.setConcurrency(9);
        assertThat(tasks).isEmpty();
        assertThat(bodies(dispatcher.drain(true))).containsExactlyInAnyOrder("a-3", "d-1");
    }

    @Test
    void aBatchThatTheExecutorRefusesIsHandedBackAndFreesItsPlace() {
        Dispatcher refusing = new Dispatcher(
                new LingeringHandoff(1, Duration.ZERO),
                1,
                task -> {
                    throw new RejectedExecutionException("full");
                },
                invocation,
                time);
        refusing.offer(deliveries.receive("a-1", "a-2"));
        assertThat(refused).containsExactly(List.of("a-1"), List.of("a-2"));
        assertThat(refusing.active()).isZero();
    }

    @Test
    void waitsUntilNoInvocationRunsAndSaysHowManyStillDo() throws Exception {
        offer("a-1");
        assertThat(dispatcher.awaitIdle(0)).isEqualTo(1);
        FutureTask<Integer> stop = new FutureTask<>(() -> dispatcher.awaitIdle(MINUTE));
        Thread.ofVirtual().start(stop);
        runNext();
        assertThat(stop.get(30, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void knowsItsInvocationsAndInterruptsThem() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        List<Dispatcher> self = new ArrayList<>();
        Dispatcher onThreads = new Dispatcher(
                new LingeringHandoff(1, Duration.ZERO),
                1,
                task -> Thread.ofVirtual().start(task),
                new Dispatcher.Invocation() {
                    @Override
                    public void run(List<Delivery> batch) {
                        assertThat(self.getFirst().calledFromInvocation()).isTrue();
                        runs.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            interrupted.countDown();
                        }
                    }

                    @Override
                    public void refused(List<Delivery> batch, RejectedExecutionException cause) {}
                },
                time);
        self.add(onThreads);
        onThreads.offer(deliveries.receive("a-1"));
        assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(onThreads.calledFromInvocation()).isFalse();

        onThreads.interruptRunning();

        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(onThreads.awaitIdle(MINUTE)).isZero();
    }

    @Test
    void theTimerThreadWakesForABatchThatBecomesDue() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        Dispatcher real = new Dispatcher(
                new LingeringHandoff(10, Duration.ofMillis(1)),
                1,
                Runnable::run,
                new Dispatcher.Invocation() {
                    @Override
                    public void run(List<Delivery> batch) {
                        ran.countDown();
                    }

                    @Override
                    public void refused(List<Delivery> batch, RejectedExecutionException cause) {}
                },
                TimeSource.system());
        FutureTask<Void> timer = new FutureTask<>(() -> {
            real.runTimer();
            return null;
        });
        Thread thread = Thread.ofVirtual().start(timer);
        Deliveries now = Deliveries.standard(Duration.ofSeconds(30), TimeSource.system());
        real.offer(now.receive("a"));
        assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
        thread.interrupt();
        thread.join();
    }

    private void offer(String... bodies) {
        dispatcher.offer(deliveries.receive(bodies));
    }

    private void runNext() {
        Objects.requireNonNull(tasks.poll(), "nothing was started").run();
    }
}
