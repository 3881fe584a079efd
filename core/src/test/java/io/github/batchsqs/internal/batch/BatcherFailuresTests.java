/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.EntryResult.Accepted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Entries and calls that fail, their retries and their deadlines. */
class BatcherFailuresTests extends BatcherFixture {

    @Test
    void failsAllEntriesOfACallWithTooFewResults() {
        responses.add(entries -> List.of());
        var few = add("few");
        pass(LINGER);
        runAll();
        assertFailed(few, EntryFailedException.CALL_FAILED, 1).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void failsAnEntryAtItsDeadlineWhileItWaitsAndWhileItsCallHangs() {
        var inFlight = add(batcher, entry("a0", "a", Duration.ofSeconds(2)));
        pass(LINGER);
        var waiting = add(batcher, entry("a1", "a", Duration.ofSeconds(3)));
        pass(Duration.ofSeconds(1));
        assertThat(inFlight).isNotDone();
        pass(Duration.ofSeconds(1));
        assertFailed(inFlight, EntryFailedException.DEADLINE_EXCEEDED, 1);
        assertThat(waiting).isNotDone();
        pass(Duration.ofSeconds(1));
        assertFailed(waiting, EntryFailedException.DEADLINE_EXCEEDED, 0);
        assertThat(batcher.size()).isZero();
        runAll();
        assertThat(asked)
                .as("a call that had not begun by its deadline is not made")
                .isEmpty();
    }

    @Test
    void aCloseLeavesACallInFlightToItsEnd() {
        boolean[] interrupted = {true};
        responses.add(entries -> {
            close();
            pass(Duration.ofSeconds(1));
            interrupted[0] = Thread.interrupted();
            return accept(entries);
        });
        var closed = add("a");
        pass(LINGER);
        runAll();
        assertFailed(closed, EntryFailedException.CLOSED, 1);
        assertThat(interrupted).containsExactly(false);
    }

    @Test
    void losesNoEntryToAnErrorOfWhoeverIsToldOrDelivers() {
        BatchCall<String, String> broken = new BatchCall<>() {
            @Override
            public List<EntryResult<String>> call(List<String> entries) {
                return List.of(new Accepted<>("1"), new Accepted<>("2"));
            }

            @Override
            public void settled(List<? extends SettledEntry<String, String>> entries) {
                throw new StackOverflowError("by a test's wish");
            }

            @Override
            public void deliver(SettledEntry<String, String> entry) {
                throw new NoClassDefFoundError("by a test's wish");
            }
        };
        Batcher<String, String> batcher = batcher(broken);
        var all = addAll(batcher, List.of(entry("a", null, LIFE), entry("b", null, LIFE)));
        var flush = batcher.flush();
        runAll();
        assertThat(all.get(0)).isCompletedWithValue("1");
        assertThat(all.get(1)).isCompletedWithValue("2");
        assertThat(flush).isCompleted();
    }

    @Test
    void retriesTheEntriesOfACallThatOneOfThemSpoiltOneByOneInOrder() {
        BatchCall<String, String> spoilt = new BatchCall<>() {
            @Override
            public List<EntryResult<String>> call(List<String> entries) {
                asked.add(List.copyOf(entries));
                if (entries.contains("bad")) {
                    throw new CallFailed(false);
                }
                return entries.stream().<EntryResult<String>>map(Accepted::new).toList();
            }

            @Override
            public CallFailure judge(Throwable failure) {
                return new CallFailure(false, false, true, Duration.ZERO);
            }
        };
        Batcher<String, String> batcher = batcher(spoilt);
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (String item : List.of("g1", "bad", "g2", "g3")) {
            all.add(add(batcher, entry(item, "g", LIFE)));
        }
        all.add(add(batcher, entry("free", null, LIFE)));
        var flush = batcher.flush();
        runAll();
        assertThat(flush).isCompleted();
        assertFailed(all.remove(1), EntryFailedException.CALL_FAILED, 2);
        assertThat(all).allSatisfy(each -> assertThat(each).isCompleted());
        assertThat(asked.stream().skip(1)).allMatch(call -> call.size() == 1);
        assertThat(asked.stream().skip(1).flatMap(List::stream).filter(item -> !item.equals("free")))
                .containsExactly("g1", "bad", "g2", "g3");
    }

    @Test
    void reportsWhetherAnEntryMayHaveBeenAccepted() {
        var inFlight = add("in flight", "a");
        pass(LINGER);
        var waiting = add("waiting", "a");
        close();
        assertThat(mayHaveBeenAccepted(inFlight)).isTrue();
        assertThat(mayHaveBeenAccepted(waiting)).isFalse();
    }
}
