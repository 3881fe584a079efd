/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** When the futures of entries complete, and on which thread. */
class BatcherFuturesTests extends BatcherFixture {

    @Test
    void startsTheNextCallBeforeFuturesComplete() {
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            all.add(add("" + i));
        }
        List<Integer> waitingCalls = new ArrayList<>();
        var ignored = all.getFirst().thenRun(() -> waitingCalls.add(calls.size()));
        assertThat(calls).as("no more than may be in flight").hasSize(2);
        calls.remove().run();
        // The second and the third: whoever waits in a callback for another entry must not wait for its own thread.
        assertThat(waitingCalls).containsExactly(2);
    }

    @Test
    void completesFuturesWithoutItsLock() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var seen = add("a").thenApply(value -> {
                try {
                    return Progress.get(threads.submit(batcher::size));
                } catch (Exception e) {
                    throw new AssertionError(e);
                } finally {
                    asked.countDown();
                }
            });
            var flush = batcher.flush();
            runAll();
            assertThat(flush).isCompleted();
            assertThat(seen.get()).isZero();
        }
        assertThat(asked.getCount()).isZero();
    }

    @Test
    void completesExpiredFuturesOnACallThreadAndNotOnTheTimer() {
        var late = add(batcher, entry("a", null, Duration.ofMillis(1)));
        time.advance(Duration.ofSeconds(1));
        batcher.tick();
        assertThat(late).isNotDone();
        assertThat(completions).hasSize(1);
        complete();
        assertFailed(late, EntryFailedException.DEADLINE_EXCEEDED, 0);
    }

    @Test
    void completesTheFuturesOfACallFirstToLast() {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String item = "" + i;
            var unused = add(item, i % 3 == 0 ? "key" : null).thenRun(() -> order.add(item));
        }
        runAll();
        assertThat(order).containsExactlyElementsOf(asked.getFirst());
    }

    @Test
    void letsAnotherThreadCompleteTheFuturesBehindACallbackThatTakesLong() {
        List<String> order = new ArrayList<>();
        var first = add("a").thenRun(() -> {
            pass(Duration.ofMillis(250)); // the timer looks
            pass(Duration.ofMillis(250)); // and again, and nothing has moved
            order.add("a");
        });
        var second = add("b").thenRun(() -> order.add("b"));
        var flush = batcher.flush();
        runAll();
        assertThat(order).containsExactly("b", "a");
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(flush).isCompleted();
    }
}
