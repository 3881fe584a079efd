/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.batch.CallThreads;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimerThreadsTests {

    private static final int MAX = 2;

    private final TimeSource time = TimeSource.system();

    @Test
    void aLookThatLeavesItsThreadInterruptedEndsNoTimer() throws Exception {
        TimerThreads timers = timers();
        for (int i = 0; i < 3; i++) {
            CountDownLatch looked = new CountDownLatch(1);
            ring(timers, () -> {
                Thread.currentThread().interrupt();
                looked.countDown();
            });
            Progress.await(looked);
        }
    }

    @Test
    void anOwnerThatThrowsEndsNoTimerOfOthers() throws Exception {
        TimerThreads timers = timers();
        TimerThreads.Ring broken = timers.alarm(
                time,
                () -> {
                    throw new IllegalStateException("by a test's wish");
                },
                failure -> {
                    throw new IllegalStateException("by a test's wish too");
                });
        broken.ringAt(time.nanos());
        CountDownLatch looked = new CountDownLatch(1);

        ring(timers, looked::countDown);

        Progress.await(looked);
    }

    @Test
    void looksBeyondTheBoundWaitForAPlatformThread() throws Exception {
        TimerThreads timers = new TimerThreads(
                new CallThreads(
                        Thread.ofPlatform().daemon().factory(),
                        4 * MAX, // one whose look is over is not free at once
                        Thread.ofVirtual().factory()),
                MAX);
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(MAX);
        CountDownLatch looked = new CountDownLatch(10 * MAX);
        AtomicInteger virtual = new AtomicInteger();
        for (int i = 0; i < 10 * MAX; i++) {
            ring(timers, () -> {
                virtual.addAndGet(Thread.currentThread().isVirtual() ? 1 : 0);
                begun.countDown();
                goOn.join();
                looked.countDown();
            });
        }
        Progress.await(begun);
        goOn.complete(null);

        Progress.await(looked);
        assertThat(virtual).hasValue(0);
    }

    @Test
    void anEndedTimerTakesNoLook() throws Exception {
        TimerThreads timers = timers();
        AtomicInteger looks = new AtomicInteger();
        TimerThreads.Ring ended = timers.alarm(time, looks::incrementAndGet, failure -> {});
        ended.ringAt(time.nanos() + Duration.ofHours(1).toNanos());
        ended.end();
        ended.ringAt(time.nanos());
        CountDownLatch looked = new CountDownLatch(1);

        ring(timers, looked::countDown);

        Progress.await(looked);
        assertThat(looks).hasValue(0);
    }

    private TimerThreads timers() {
        ThreadFactory factory = task -> {
            Thread thread = Thread.ofPlatform().daemon().unstarted(task);
            thread.setUncaughtExceptionHandler((ended, failure) -> {});
            return thread;
        };
        return new TimerThreads(new CallThreads(factory, MAX, factory), MAX);
    }

    private void ring(TimerThreads timers, Runnable look) {
        timers.alarm(time, look, failure -> {}).ringAt(time.nanos());
    }
}
