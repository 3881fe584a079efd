/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.EntryResult.Accepted;
import io.github.batchsqs.internal.client.EntryResult.Rejected;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** On a time that is set, with calls that run when the test says so. */
class BatcherTests extends BatcherFixture {

    @Test
    void reportsTheOutcomeOfAllEntriesBeforeTheirFuturesComplete() {
        List<String> reported = new ArrayList<>();
        BatchCall<String, String> reporting = new BatchCall<String, String>() {
            @Override
            public List<EntryResult<String>> call(List<String> entries) {
                return List.of(new Accepted<>("1"), new Rejected<>("Bad", "it is bad", false));
            }

            @Override
            public void settled(List<? extends SettledEntry<String, String>> entries) {
                for (SettledEntry<String, String> each : entries) {
                    Throwable cause = each.cause();
                    reported.add(
                            each.entry() + " " + each.result() + " " + (cause == null ? null : cause.getMessage()));
                }
                throw new IllegalStateException("A test's wish: the future completes all the same");
            }
        };
        Batcher<String, String> batcher = batcher(reporting);
        List<CompletableFuture<String>> futures =
                addAll(batcher, List.of(entry("a", null, LIFE), entry("b", null, LIFE)));
        var unused = futures.getFirst().thenRun(() -> reported.add("future of a"));
        var unusedToo = batcher.flush();
        runAll();
        assertThat(reported).containsExactlyInAnyOrder("a 1 null", "b null it is bad", "future of a");
        assertThat(reported.getLast()).isEqualTo("future of a");
        assertThat(futures.getFirst()).isCompletedWithValue("1");
        assertFailed(futures.getLast(), "Bad", 1);
    }

    /** A log that blocks turns no accepted entry into one that is too late. */
    @Test
    void outcomesAreInForceBeforeACallIsRecorded() {
        List<Batcher<String, String>> self = new ArrayList<>();
        List<Integer> left = new ArrayList<>();
        BatchCall<String, String> recorded = new BatchCall<String, String>() {
            @Override
            public List<EntryResult<String>> call(List<String> entries) {
                return accept(entries);
            }

            @Override
            public void called(List<EntryResult<String>> results, @Nullable Throwable failure) {
                left.add(self.getFirst().size());
                time.advance(LIFE.multipliedBy(2));
                self.getFirst().tick();
            }
        };
        self.add(batcher(recorded));
        var future = add(self.getFirst(), entry("a", null, LIFE));
        var unused = self.getFirst().flush();
        runAll();
        assertThat(left).containsExactly(0);
        assertThat(future).isCompletedWithValue("a");
    }
}
