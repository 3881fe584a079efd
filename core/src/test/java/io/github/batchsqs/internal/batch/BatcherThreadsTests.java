/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.internal.support.TimerThreads;
import io.github.batchsqs.testkit.FreezableTime;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With threads, a timer and the real time. */
class BatcherThreadsTests extends BatcherFixture {

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private final Batcher<String, String> real = real(threads);

    @AfterEach
    void end() {
        real.close();
        threads.shutdownNow();
    }

    @Test
    void aCallbackThatNeverEndsHoldsUpNoOtherFutureNorTheTimer() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch added = new CountDownLatch(1);
        responses.add(entries -> {
            added.await();
            return accept(entries);
        });
        var first = add(real, soon("a", null));
        var second = add(real, soon("b", null));
        var held = first.thenAccept(value -> Progress.await(never));
        var flush = real.flush();
        added.countDown();
        assertThat(Progress.get(second)).isEqualTo("b");
        assertThat(Progress.get(add(real, soon("c", "c")))).isEqualTo("c");
        assertThat(held).isNotDone();
        assertThat(flush).isNotDone();
        never.countDown();
        Progress.get(flush);
    }

    @Test
    void aCallThatCarriesAnEntryWithAnOrderingKeyBeyondItsDeadlineIsInterruptedAndTheOthersGoOn() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        responses.add(entries -> {
            called.countDown();
            try {
                new CountDownLatch(1).await();
                return accept(entries);
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });
        FreezableTime clock = new FreezableTime();
        clock.freeze(); // until the call is made
        Batcher<String, String> frozen = real(threads, clock);
        long soon = clock.nanos() + Duration.ofMillis(100).toNanos();
        var all = addAll(frozen, List.of(new BatchEntry<>("late", 1, "g", soon), soon("other", "h")));
        var flush = frozen.flush();
        Progress.await(called);
        clock.goOn();
        Progress.await(interrupted);
        assertThat(Progress.get(all.get(1))).isEqualTo("other");
        assertThat(Progress.done(all.get(0))).isCompletedExceptionally();
        assertThat(mayHaveBeenAccepted(all.get(0))).isTrue();
        assertThat(Progress.done(flush)).isCompleted();
        frozen.close();
    }

    private Batcher<String, String> real(Executor executor) {
        return real(executor, TimeSource.system());
    }

    private Batcher<String, String> real(Executor executor, TimeSource clock) {
        var quick = new BatcherSettings(LINGER, 2, new Backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1), false));
        var batcher = batcher(quick, this::respond, executor, clock);
        batcher.timedBy(new TimerThreads(threads, threads).alarm(clock, batcher::tick, failure -> {}));
        return batcher;
    }

    private BatchEntry<String> soon(String item, @Nullable Object key) {
        return new BatchEntry<>(item, 1, key, System.nanoTime() + LIFE.toNanos());
    }
}
