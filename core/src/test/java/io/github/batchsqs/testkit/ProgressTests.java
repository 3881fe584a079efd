/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ProgressTests {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void isStillOnceNothingHasMovedForItsPatience() {
        Progress.Stillness stillness = new Progress.Stillness(0, "a");

        assertThat(stillness.lasts("a", 59 * SECOND)).isFalse();
        assertThat(stillness.lasts("a", 61 * SECOND)).isTrue();
    }

    @Test
    void isNotStillAsLongAsSomethingMoves() {
        Progress.Stillness stillness = new Progress.Stillness(0, 0);

        for (int i = 1; i < 1_000; i++) {
            assertThat(stillness.lasts(i, i * (59 * SECOND))).isFalse();
        }
        assertThat(stillness.lasts(999, 999 * (59 * SECOND) + 61 * SECOND)).isTrue();
    }

    @Test
    void waitsUntilTheValueIsTheExpectedOne() {
        AtomicInteger value = new AtomicInteger();

        Progress.until(value::incrementAndGet, 5);

        assertThat(value).hasValue(5);
    }

    @Test
    void waitsUntilTheAssertionPasses() {
        Queue<String> values = new ArrayDeque<>(List.of("a", "b", "c"));

        Progress.untilAsserted(() -> assertThat(values.poll()).isEqualTo("c"));

        assertThat(values).isEmpty();
    }

    @Test
    void waitsForLatchesFuturesQueuesAndThreads() throws Exception {
        CountDownLatch latch = new CountDownLatch(2);
        BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        CompletableFuture<String> future = new CompletableFuture<>();
        CompletableFuture<String> failed = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().start(() -> {
            latch.countDown();
            latch.countDown();
            queue.add("taken");
            future.complete("got");
            failed.completeExceptionally(new IllegalStateException("broken"));
        });

        Progress.await(latch);
        assertThat(Progress.take(queue)).isEqualTo("taken");
        assertThat(Progress.get(future)).isEqualTo("got");
        assertThat(Progress.failure(failed)).hasMessage("broken");
        Progress.join(thread);
    }

    @Test
    void endsWithTheInterruptOfItsThread() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> Progress.until(() -> false)).hasMessageContaining("Interrupted while it waited");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
