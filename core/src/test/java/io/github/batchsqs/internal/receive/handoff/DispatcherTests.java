/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Loss;
import io.github.batchsqs.internal.support.LoopAlarm;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
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
        public void refused(List<Delivery> batch, Throwable cause) {
            refused.add(bodies(batch));
        }

        @Override
        public void unexpected(Throwable cause) {
            unexpected.add(cause);
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
                new Invocation() {
                    @Override
                    public void run(List<Delivery> batch, long slotAt, int slots) {
                        time.advance(Duration.ofMinutes(3));
                        seen.add(watched[0].longestRunning());
                    }

                    @Override
                    public void refused(List<Delivery> batch, Throwable cause) {}

                    @Override
                    public void unexpected(Throwable cause) {}
                },
                time);
        watched[0].offer(deliveries.receive("a-1"));
        time.advance(Duration.ofMinutes(1));
        assertThat(watched[0].longestRunning()).isZero();
        runNext();
        assertThat(seen).containsExactly(Duration.ofMinutes(3));
        assertThat(watched[0].longestRunning()).isZero();
    }

    /** An executor that drops tasks. */
    @Test
    void knowsForHowLongTheExecutorHasBegunNothing() {
        offer("a-1");
        time.advance(Duration.ofMinutes(1));
        assertThat(dispatcher.notBegunFor()).isZero();

        offer("b-1");
        time.advance(Duration.ofMinutes(1));

        assertThat(dispatcher.notBegunFor()).isEqualTo(Duration.ofMinutes(1));
        runNext();
        assertThat(dispatcher.notBegunFor()).isZero();
    }

    @Test
    void anInvocationThatThrowsFreesItsSlotToo() {
        Dispatcher throwing = new Dispatcher(
                new LingeringHandoff(1, Duration.ZERO),
                1,
                tasks::add,
                new Invocation() {
                    @Override
                    public void run(List<Delivery> batch, long slotAt, int slots) {
                        throw new IllegalStateException("unexpected");
                    }

                    @Override
                    public void refused(List<Delivery> batch, Throwable cause) {}

                    @Override
                    public void unexpected(Throwable cause) {}
                },
                time);
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
    void requeuedMessagesRunFirst() {
        List<Delivery> first = deliveries.receive("a-1", "a-2", "a-3");
        dispatcher.offer(first);
        runNext();
        assertThat(dispatcher.requeue(Requeued.now(first.subList(1, 2), 0))).isTrue();
        assertThat(tasks).isEmpty();
        dispatcher.settled(first.subList(0, 1));
        runNext();
        assertThat(runs).containsExactly(List.of("a-1", "a-2"), List.of("a-2", "a-3"));
    }

    @Test
    void moreConcurrencyStartsMoreAtOnceAndLessLetsThemEnd() {
        offer("a-1", "b-1", "c-1", "d-1", "e-1");
        dispatcher.setConcurrency(4);
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
        List<Integer> delayed = new ArrayList<>();
        Dispatcher one = new Dispatcher(
                new GroupedHandoff(2, Duration.ZERO, false),
                1,
                tasks::add,
                Runnable::run,
                invocation,
                time,
                watching(delayed));
        List<Delivery> poison = deliveries.receive("a-1", "a-2");
        one.offer(poison);
        runNext();
        one.requeue(Requeued.at(poison, 1, time.nanos() + LINGER.toNanos()));
        one.offer(deliveries.receive("b-1"));
        runNext();
        one.tick();
        assertThat(tasks).isEmpty();
        assertThat(one.delayed()).isEqualTo(2);

        time.advance(LINGER);
        one.tick();
        runNext();

        assertThat(runs).containsExactly(List.of("a-1", "a-2"), List.of("b-1"), List.of("a-1"));
        assertThat(delayed).containsExactly(2, 0);
    }

    @Test
    void aGroupWithoutRoomIsNotRequeued() {
        List<Integer> delayed = new ArrayList<>();
        Dispatcher one = new Dispatcher(
                new GroupedHandoff(2, Duration.ZERO, false),
                1,
                tasks::add,
                Runnable::run,
                invocation,
                time,
                watching(delayed));
        List<Delivery> poison = deliveries.receive("a-1", "a-2");
        one.offer(poison);
        runNext();
        Requeued later = Requeued.at(poison, 1, time.nanos() + LINGER.toNanos());
        assertThat(one.requeue(later, () -> false)).isFalse();
        assertThat(one.delayed()).isZero();

        one.lose("a", new Loss(poison.getFirst().number(), time.nanos()));
        assertThat(one.requeue(later, () -> true)).as("of a group that is lost").isFalse();

        assertThat(delayed).isEmpty();
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
    void drainsBatchesOfAStandardQueueThatTheExecutorHasNotBegun() {
        Dispatcher standard = new Dispatcher(new LingeringHandoff(2, Duration.ZERO), 1, tasks::add, invocation, time);
        standard.offer(Deliveries.standard(Duration.ofSeconds(30), time).receive("a-1", "a-2", "a-3"));
        assertThat(bodies(standard.drain(false))).containsExactly("a-1", "a-2", "a-3");
        runNext();
        assertThat(runs).isEmpty();
    }

    @Test
    void returnsABatchWhateverTheExecutorThrows() {
        Dispatcher broken = new Dispatcher(
                new LingeringHandoff(1, Duration.ZERO),
                1,
                task -> {
                    throw new NoClassDefFoundError("of the executor");
                },
                invocation,
                time);
        broken.offer(deliveries.receive("a-1"));
        assertThat(refused).containsExactly(List.of("a-1"));
        assertThat(broken.active()).isZero();
    }

    @Test
    void runsABatchOnceThoughTheExecutorRunsItAndThrows() {
        Dispatcher twofold = new Dispatcher(
                new LingeringHandoff(1, Duration.ZERO),
                1,
                task -> {
                    task.run();
                    task.run();
                    throw new IllegalStateException("after it ran");
                },
                invocation,
                time);
        twofold.offer(deliveries.receive("a-1", "a-2"));
        assertThat(runs).containsExactly(List.of("a-1"), List.of("a-2"));
        assertThat(refused).isEmpty();
        assertThat(unexpected).hasSize(2);
        assertThat(twofold.active()).isZero();
    }

    @Test
    void doesNotRunABatchThatTheExecutorQueuedBeforeItThrew() {
        Dispatcher twofold = new Dispatcher(
                new LingeringHandoff(1, Duration.ZERO),
                1,
                task -> {
                    tasks.add(task);
                    throw new IllegalStateException("after it was queued");
                },
                invocation,
                time);
        twofold.offer(deliveries.receive("a-1"));
        assertThat(refused).containsExactly(List.of("a-1"));
        runNext();
        assertThat(runs).isEmpty();
        assertThat(twofold.active()).isZero();
    }

    @Test
    void batchesThatTheExecutorRefusesFreeTheirSlots() {
        Dispatcher refusing = new Dispatcher(
                new LingeringHandoff(1, Duration.ZERO),
                2,
                task -> {
                    throw new RejectedExecutionException("full");
                },
                invocation,
                time);
        refusing.offer(deliveries.receive("a-1", "a-2", "a-3"));
        assertThat(refused).containsExactly(List.of("a-1"), List.of("a-2"));
        assertThat(refusing.active()).isZero();
    }

    @Test
    void afterARefusalOneBatchAtATimeIsTriedUntilTheExecutorBeginsIt() {
        List<Boolean> refuses = new ArrayList<>(List.of(true));
        List<Integer> watched = new ArrayList<>();
        Dispatcher refusing = new Dispatcher(
                new LingeringHandoff(1, Duration.ZERO),
                2,
                task -> {
                    if (refuses.getFirst()) {
                        throw new RejectedExecutionException("full");
                    }
                    tasks.add(task);
                },
                Dispatcher.HERE,
                invocation,
                time,
                watching(watched));
        refusing.offer(deliveries.receive("a-1", "a-2", "a-3", "a-4", "a-5"));
        assertThat(refused).hasSize(2);
        refusing.tick();
        assertThat(refused).as("during the pause").hasSize(2);
        time.advance(Duration.ofMillis(100));
        refusing.tick();
        assertThat(refused).hasSize(3);

        refuses.set(0, false);
        time.advance(Duration.ofMillis(200));
        refusing.tick();
        assertThat(tasks).hasSize(1);
        during = refusing::tick;
        runNext();
        assertThat(tasks).hasSize(1);
        assertThat(runs).containsExactly(List.of("a-4"));
        assertThat(watched).containsExactly(100, 200, 0);
    }

    private static Dispatcher.Watch watching(List<Integer> numbers) {
        return new Dispatcher.Watch() {
            @Override
            public void delayed(int messages) {
                numbers.add(messages);
            }

            @Override
            public void refused(long nanos) {
                numbers.add((int) Duration.ofNanos(nanos).toMillis());
            }
        };
    }

    /** For example one with a semaphore, of which the thread that has just run a batch still holds a permit. */
    @Test
    void anExecutorMayHoldUpTheThreadThatHandsABatchOver() throws Exception {
        Semaphore permits = new Semaphore(1);
        CountDownLatch ran = new CountDownLatch(3);
        Dispatcher bounded = new Dispatcher(
                new LingeringHandoff(1, Duration.ZERO),
                2,
                task -> {
                    permits.acquireUninterruptibly();
                    Thread.ofVirtual().start(() -> {
                        try {
                            task.run();
                        } finally {
                            permits.release();
                        }
                    });
                },
                task -> Thread.ofVirtual().start(task),
                new Invocation() {
                    @Override
                    public void run(List<Delivery> batch, long slotAt, int slots) {
                        ran.countDown();
                    }

                    @Override
                    public void refused(List<Delivery> batch, Throwable cause) {}

                    @Override
                    public void unexpected(Throwable cause) {}
                },
                time,
                Dispatcher.Watch.NONE);
        Thread.ofVirtual().start(() -> bounded.offer(deliveries.receive("a-1", "b-1", "c-1")));
        Progress.await(ran);
        assertThat(bounded.awaitIdle(MINUTE)).isZero();
    }

    @Test
    void waitsUntilNoInvocationRunsAndSaysHowManyStillDo() throws Exception {
        offer("a-1");
        assertThat(dispatcher.awaitIdle(0)).isEqualTo(1);
        FutureTask<Integer> stop = new FutureTask<>(() -> dispatcher.awaitIdle(MINUTE));
        Thread.ofVirtual().start(stop);
        runNext();
        assertThat(Progress.get(stop)).isZero();
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
                new Invocation() {
                    @Override
                    public void run(List<Delivery> batch, long slotAt, int slots) {
                        assertThat(self.getFirst().invokesOn(Thread.currentThread()))
                                .isTrue();
                        runs.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            interrupted.countDown();
                        }
                    }

                    @Override
                    public void refused(List<Delivery> batch, Throwable cause) {}

                    @Override
                    public void unexpected(Throwable cause) {}
                },
                time);
        self.add(onThreads);
        onThreads.offer(deliveries.receive("a-1"));
        Progress.await(runs);
        assertThat(onThreads.invokesOn(Thread.currentThread())).isFalse();

        onThreads.interruptRunning();

        Progress.await(interrupted);
        assertThat(onThreads.awaitIdle(MINUTE)).isZero();
    }

    @Test
    void theTimerThreadWakesForABatchThatBecomesDue() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        Dispatcher real = new Dispatcher(
                new LingeringHandoff(10, Duration.ofMillis(1)),
                1,
                Runnable::run,
                new Invocation() {
                    @Override
                    public void run(List<Delivery> batch, long slotAt, int slots) {
                        ran.countDown();
                    }

                    @Override
                    public void refused(List<Delivery> batch, Throwable cause) {}

                    @Override
                    public void unexpected(Throwable cause) {}
                },
                TimeSource.system());
        FutureTask<Void> timer = new FutureTask<>(() -> {
            LoopAlarm alarm = new LoopAlarm(TimeSource.system());
            real.timedBy(alarm);
            while (true) {
                alarm.await();
                real.tick();
            }
        });
        Thread thread = Thread.ofVirtual().start(timer);
        Deliveries now = Deliveries.standard(Duration.ofSeconds(30), TimeSource.system());
        real.offer(now.receive("a"));
        Progress.await(ran);
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
