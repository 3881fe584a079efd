/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CallThreadsTests {

    private final List<Thread> made = new ArrayList<>();
    private final CallThreads threads = new CallThreads(task -> {
        Thread thread = Thread.ofVirtual().unstarted(task);
        made.add(thread);
        return thread;
    });
    private final LinkedBlockingQueue<Thread> ran = new LinkedBlockingQueue<>();

    @Test
    void tasksRunBesideOneAnother() throws Exception {
        CountDownLatch bothRun = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            threads.execute(() -> {
                bothRun.countDown();
                Progress.await(bothRun);
                ran.add(Thread.currentThread());
            });
        }
        assertThat(ran.take()).isNotSameAs(ran.take());
    }

    @Test
    void aThreadWhoseTaskIsOverIsUsedAgain() throws Exception {
        Thread first = runAndWait();
        Progress.until(first::getState, Thread.State.TIMED_WAITING);
        assertThat(runAndWait()).isSameAs(first);
        assertThat(made).hasSize(1);
    }

    @Test
    void anInterruptOfATaskDoesNotReachTheNext() throws Exception {
        threads.execute(() -> {
            Thread.currentThread().interrupt();
            ran.add(Thread.currentThread());
        });
        Progress.until(ran.take()::getState, Thread.State.TIMED_WAITING);
        LinkedBlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
        threads.execute(() -> interrupted.add(Thread.currentThread().isInterrupted()));
        assertThat(interrupted.take()).isFalse();
        assertThat(made).hasSize(1);
    }

    @Test
    void allThreadsEndThatAreIdleForTooLong() throws Exception {
        CallThreads impatient = new CallThreads(
                Thread.ofPlatform().daemon().factory(), 2, Thread.ofVirtual().factory(), Duration.ofMillis(1));
        CountDownLatch allRun = new CountDownLatch(5);
        for (int i = 0; i < 5; i++) {
            impatient.execute(() -> {
                allRun.countDown();
                Progress.await(allRun);
                ran.add(Thread.currentThread());
            });
        }
        for (int i = 0; i < 5; i++) {
            Thread idle = Progress.take(ran);
            Progress.until(() -> !idle.isAlive());
        }
    }

    @Test
    void aTaskForWhichNoPlatformThreadCanBeStartedHasAVirtualOneAsSoonAsItIsCarried() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CallThreads full = new CallThreads(
                Unstartable::new,
                1,
                task -> asked.incrementAndGet() % 3 == 0 ? Thread.ofVirtual().unstarted(task) : new Unstartable(task));
        for (int i = 0; i < 2; i++) { // there is room for another one
            full.execute(() -> ran.add(Thread.currentThread()));
            assertThat(Progress.take(ran).isVirtual()).isTrue();
        }
    }

    @Test
    void theFirstTasksAtATimeHavePlatformThreadsAndTheOthersVirtualOnes() throws Exception {
        CallThreads bounded = new CallThreads(
                Thread.ofPlatform().daemon().factory(), 2, Thread.ofVirtual().factory());
        CountDownLatch mayEnd = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            bounded.execute(() -> {
                ran.add(Thread.currentThread());
                Progress.await(mayEnd);
            });
        }
        assertThat(List.of(ran.take(), ran.take(), ran.take()))
                .filteredOn(Thread::isVirtual)
                .hasSize(1);
        mayEnd.countDown();
    }

    @Test
    void aTaskWhoseVirtualThreadGetsNoCarrierHasThePlatformThreadThatIsFreeFirst() throws Exception {
        CallThreads bounded = new CallThreads(Thread.ofPlatform().daemon().factory(), 1, task -> new Thread(task) {
            @Override
            public void start() {} // never runs
        });
        CountDownLatch mayEnd = new CountDownLatch(1);
        bounded.execute(() -> Progress.await(mayEnd));
        bounded.execute(() -> ran.add(Thread.currentThread()));
        assertThat(ran).isEmpty();
        mayEnd.countDown();
        assertThat(Progress.take(ran).isDaemon()).isTrue();
    }

    private Thread runAndWait() throws InterruptedException {
        threads.execute(() -> ran.add(Thread.currentThread()));
        return ran.take();
    }

    private static final class Unstartable extends Thread {

        Unstartable(Runnable task) {
            super(task);
        }

        @Override
        public void start() {
            throw new OutOfMemoryError("unable to create native thread, by a test's wish");
        }
    }
}
