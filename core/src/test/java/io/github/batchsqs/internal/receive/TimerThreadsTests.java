/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.internal.support.TimeSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimerThreadsTests {

    private static final int MAX = 2;

    private final TimeSource time = TimeSource.system();
    private final AtomicInteger starts = new AtomicInteger();

    @Test
    void timersGoOnWhenThreadsCanBeStartedAgain() throws Exception {
        TimerThreads timers = timers(MAX);
        for (int i = 0; i < MAX; i++) {
            assertThatThrownBy(() -> ring(timers, () -> {})).isInstanceOf(OutOfMemoryError.class);
        }
        CountDownLatch looked = new CountDownLatch(1);

        ring(timers, looked::countDown);

        Progress.await(looked);
    }

    @Test
    void aLookThatLeavesItsThreadInterruptedEndsNoTimer() throws Exception {
        TimerThreads timers = timers(0);
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
        TimerThreads timers = timers(0);
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
    void anEndedTimerTakesNoLook() throws Exception {
        TimerThreads timers = timers(0);
        AtomicInteger looks = new AtomicInteger();
        TimerThreads.Ring ended = timers.alarm(time, looks::incrementAndGet, failure -> {});
        ended.ringAt(time.nanos() + 1_000_000);
        ended.end();
        ended.ringAt(time.nanos());
        CountDownLatch looked = new CountDownLatch(1);

        timers.alarm(time, looked::countDown, failure -> {}).ringAt(time.nanos() + 2_000_000);

        Progress.await(looked);
        assertThat(looks).hasValue(0);
    }

    private TimerThreads timers(int failures) {
        return new TimerThreads(failing(failures), MAX);
    }

    private void ring(TimerThreads timers, Runnable look) {
        timers.alarm(time, look, failure -> {}).ringAt(time.nanos());
    }

    /** Makes threads, but at first none. */
    private ThreadFactory failing(int times) {
        return task -> {
            if (starts.incrementAndGet() <= times) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Thread thread = Thread.ofPlatform().daemon().unstarted(task);
            thread.setUncaughtExceptionHandler((ended, failure) -> {});
            return thread;
        };
    }
}
