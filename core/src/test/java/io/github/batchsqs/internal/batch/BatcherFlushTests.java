/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a flush and a close wait for. */
class BatcherFlushTests extends BatcherFixture {

    @Test
    void completesAFlushOnlyAfterAllFutures() {
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(add("" + i));
        }
        CompletableFuture<Void> flush = batcher.flush();
        // The second call comes back while the futures of the first complete, as it may on a thread of its own.
        List<Boolean> seen = new ArrayList<>();
        var ignored = all.getFirst().thenRun(() -> {
            runAll();
            seen.add(flush.isDone());
        });
        var after = flush.thenRun(() -> seen.add(all.stream().allMatch(CompletableFuture::isDone)));
        runAll();
        assertThat(after).isCompleted();
        assertThat(seen).containsExactly(false, true);
    }

    @Test
    void doesNotLetAFlushWaitForTheFutureThatMadeIt() {
        List<Boolean> seen = new ArrayList<>();
        var after = add("a").thenRun(() -> {
            seen.add(batcher.flush().isDone());
            var second = add("b").whenComplete(
                            (value, failure) -> seen.add(batcher.flush().isDone()));
            close(); // fails the second within the completion of the first
            assertFailed(second, EntryFailedException.CLOSED, 0);
        });
        var flush = batcher.flush();
        runAll();
        assertThat(after).isCompleted();
        assertThat(flush).isCompleted();
        assertThat(seen).containsExactly(true, true);
    }

    @Test
    void waitsForEarlierFlushesInALaterOne() {
        put("a", null);
        CompletableFuture<Void> first = batcher.flush();
        CompletableFuture<Void> second = batcher.flush();
        assertThat(second).isNotDone();
        runAll();
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
    }

    @Test
    void endsSendingWithoutGivingUpTheCallsInFlight() {
        var inFlight = add("a", "a");
        pass(LINGER);
        var waiting = add("b", "a");
        batcher.endSending();
        complete();
        assertFailed(waiting, EntryFailedException.CLOSED, 0);
        assertFailed(add("c"), EntryFailedException.CLOSED, 0);
        var flush = batcher.flush();
        assertThat(flush).isNotDone();
        runAll();
        assertThat(inFlight).isCompleted();
        assertThat(flush).isCompleted();
    }
}
