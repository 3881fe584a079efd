/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import io.github.batchsqs.internal.batch.CallThreads;
import io.github.batchsqs.testkit.Progress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
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
        Alarm broken = timers.alarm(
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

    private TimerThreads timers() {
        ThreadFactory factory = task -> {
            Thread thread = Thread.ofPlatform().daemon().unstarted(task);
            thread.setUncaughtExceptionHandler((ended, failure) -> {});
            return thread;
        };
        CallThreads threads = new CallThreads(factory, MAX, factory);
        return new TimerThreads(threads, threads);
    }

    private void ring(TimerThreads timers, Runnable look) {
        timers.alarm(time, look, failure -> {}).ringAt(time.nanos());
    }
}
