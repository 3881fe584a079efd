/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchSqsException;
import io.github.batchsqs.TimeSource;
import io.github.batchsqs.batch.EntryResult.Accepted;
import io.github.batchsqs.batch.EntryResult.Rejected;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a time that is set, with calls that run when the test says so. */
@Timeout(60)
class BatcherTests {

    private static final Duration LINGER = Duration.ofMillis(5);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration LIFE = Duration.ofMinutes(1);

    private final SettableTime time = new SettableTime();
    private final Queue<Runnable> calls = new ArrayDeque<>();
    private final Queue<BatchCall<String, String>> answers = new ArrayDeque<>();
    private final List<List<String>> asked = new ArrayList<>();
    private final Batcher<String, String> batcher = batcher(2);

    @Test
    void givesEachEntryItsOwnResult() {
        answers.add(entries ->
                List.of(new Accepted<>("1"), new Rejected<>("Bad", "it is bad", false), new Accepted<>("3")));
        var a = add("a");
        var b = add("b");
        var c = add("c");
        pass(LINGER);
        runAll();
        assertThat(a).isCompletedWithValue("1");
        assertFailed(b, "Bad", 1).hasMessage("it is bad");
        assertThat(c).isCompletedWithValue("3");
        assertThat(batcher.size()).isZero();
    }

    @Test
    void theCallIsToldWhatBecameOfItsEntriesBeforeTheirPromisesComplete() {
        List<String> told = new ArrayList<>();
        BatchCall<String, String> telling = new BatchCall<String, String>() {
            @Override
            public List<EntryResult<String>> call(List<String> entries) {
                return List.of(new Accepted<>("1"), new Rejected<>("Bad", "it is bad", false));
            }

            @Override
            public void settled(List<? extends SettledEntry<String, String>> entries) {
                for (SettledEntry<String, String> each : entries) {
                    Throwable cause = each.cause();
                    told.add(each.entry() + " " + each.result() + " " + (cause == null ? null : cause.getMessage()));
                }
                throw new IllegalStateException("A test's wish: the promise completes all the same");
            }
        };
        Batcher<String, String> batcher =
                new Batcher<>(settings(1), telling, calls::add, time, new SplittableRandom(1));
        List<CompletableFuture<String>> promises =
                batcher.addAll(List.of(entry("a", null, LIFE), entry("b", null, LIFE)));
        var unused = promises.getFirst().thenRun(() -> told.add("promise of a"));
        var unusedToo = batcher.flush();
        runAll();
        assertThat(told).containsExactlyInAnyOrder("a 1 null", "b null it is bad", "promise of a");
        assertThat(told.getLast()).isEqualTo("promise of a");
        assertThat(promises.getFirst()).isCompletedWithValue("1");
        assertFailed(promises.getLast(), "Bad", 1);
    }

    @Test
    void sendsAFullBatchWithoutTheTimer() {
        for (int i = 0; i < 10; i++) {
            put("" + i, null);
        }
        assertThat(calls).hasSize(1);
    }

    @Test
    void letsTheNextBatchFormWhileTheMostCallsAreInFlight() {
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < 35; i++) {
            all.add(add("" + i));
        }
        assertThat(calls).hasSize(2);
        pass(LINGER);
        assertThat(calls).hasSize(2);
        runAll();
        assertThat(asked).extracting(List::size).containsExactly(10, 10, 10, 5);
        assertThat(all).allMatch(CompletableFuture::isDone);
    }

    @Test
    void triesRefusedEntriesAgainTogether() {
        answers.add(entries -> List.of(
                new Rejected<>("InternalError", "later", true),
                new Accepted<>("b"),
                new Rejected<>("InternalError", "later", true)));
        var a = add("a");
        var b = add("b");
        var c = add("c");
        pass(LINGER);
        runAll();
        assertThat(b).isDone();
        assertThat(a).isNotDone();
        pass(RETRY.minusNanos(1));
        assertThat(calls).isEmpty();
        pass(Duration.ofNanos(1));
        runAll();
        assertThat(asked).containsExactly(List.of("a", "b", "c"), List.of("c", "a"));
        assertThat(a).isCompleted();
        assertThat(c).isCompleted();
    }

    @Test
    void triesTheEntriesOfAThrottledCallAgainInOneCallDespiteJitter() {
        Batcher<String, String> jittery = new Batcher<>(
                new BatcherSettings(
                        new BatchLimits(10, 1_000, LINGER), 64, Backoff.exponential(RETRY, Duration.ofSeconds(10))),
                this::answer,
                calls::add,
                time,
                new SplittableRandom(1));
        answers.add(failing(true));
        List<BatchEntry<String>> entries = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            entries.add(entry("" + i, i % 2 == 0 ? null : "lane" + i, LIFE));
        }
        jittery.addAll(entries);
        runAll();
        for (int i = 0; i < 1_000; i++) {
            time.advance(Duration.ofMillis(1));
            jittery.tick();
            runAll();
        }
        assertThat(asked).extracting(List::size).containsExactly(10, 10);
    }

    @Test
    void failsAllEntriesOfACallThatFailedForGood() {
        answers.add(failing(false));
        var a = add("a");
        pass(LINGER);
        runAll();
        assertFailed(a, Batcher.CALL_FAILED, 1).hasCauseInstanceOf(CallFailed.class);
    }

    @Test
    void failsAllEntriesOfACallThatAnsweredForOthers() {
        answers.add(entries -> List.of());
        var a = add("a");
        pass(LINGER);
        runAll();
        assertFailed(a, Batcher.CALL_FAILED, 1).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void failsTheEntriesOfACallThatWasInterrupted() {
        answers.add(entries -> {
            throw new InterruptedException();
        });
        var a = add("a");
        pass(LINGER);
        runAll();
        assertThat(Thread.interrupted()).isTrue();
        assertFailed(a, Batcher.CALL_FAILED, 1).hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void failsTheEntriesOfACallThatTheExecutorRefused() {
        Batcher<String, String> refused = new Batcher<>(
                settings(2),
                this::answer,
                task -> {
                    throw new RejectedExecutionException("full");
                },
                time,
                new SplittableRandom(1));
        var a = refused.add(entry("a", "lane", LIFE));
        var flush = refused.flush();
        assertFailed(a, Batcher.CALL_FAILED, 1).hasCauseInstanceOf(RejectedExecutionException.class);
        assertThat(flush).isCompleted();
        assertThat(refused.size()).isZero();
    }

    @Test
    void holdsALaneBackWhileItsEntriesAreTriedAgain() {
        answers.add(entries -> List.of(new Accepted<>("a0"), new Rejected<>("InternalError", "later", true)));
        put("a0", "a");
        put("a1", "a");
        pass(LINGER);
        put("a2", "a");
        runAll();
        pass(LINGER);
        assertThat(calls).isEmpty();
        pass(RETRY);
        runAll();
        assertThat(asked).containsExactly(List.of("a0", "a1"), List.of("a1", "a2"));
    }

    @Test
    void failsAnEntryThatALaterOneOfItsLaneHasPassed() {
        answers.add(entries -> List.of(
                new Rejected<>("InternalError", "later", true),
                new Rejected<>("InternalError", "later", true),
                new Accepted<>("a1"),
                new Rejected<>("InternalError", "later", true)));
        var b0 = add("b0", "b");
        var a0 = add("a0", "a");
        put("a1", "a");
        var a2 = add("a2", "a");
        pass(LINGER);
        runAll();
        assertFailed(a0, Batcher.OUT_OF_ORDER, 1);
        assertThat(b0).isNotDone();
        assertThat(a2).isNotDone();
        pass(RETRY);
        runAll();
        assertThat(asked.getLast()).containsExactlyInAnyOrder("b0", "a2");
        assertThat(b0).isCompleted();
        assertThat(a2).isCompleted();
    }

    @Test
    void failsAnEntryAtItsDeadlineWhileItWaitsAndWhileItsCallHangs() {
        var inFlight = batcher.add(entry("a0", "a", Duration.ofSeconds(2)));
        pass(LINGER);
        var waiting = batcher.add(entry("a1", "a", Duration.ofSeconds(3)));
        pass(Duration.ofSeconds(1));
        assertThat(inFlight).isNotDone();
        pass(Duration.ofSeconds(1));
        assertFailed(inFlight, Batcher.DEADLINE_EXCEEDED, 1);
        assertThat(waiting).isNotDone();
        pass(Duration.ofSeconds(1));
        assertFailed(waiting, Batcher.DEADLINE_EXCEEDED, 0);
        assertThat(batcher.size()).isZero();
        runAll();
        assertThat(asked).containsExactly(List.of("a0"));
    }

    @Test
    void doesNotTryAgainWhatWouldComeTooLate() {
        answers.add(failing(true));
        var a = batcher.add(entry("a", null, Duration.ofMillis(900)));
        pass(LINGER);
        runAll();
        assertFailed(a, Batcher.DEADLINE_EXCEEDED, 1).hasMessageContaining("call failed");
    }

    @Test
    void completesAFlushWhenAllThatWasAddedBeforeIsSettled() {
        put("a", null);
        CompletableFuture<Void> flush = batcher.flush();
        assertThat(calls).hasSize(1);
        var later = add("later");
        assertThat(flush).isNotDone();
        runAll();
        assertThat(flush).isCompleted();
        assertThat(later).isNotDone();
    }

    @Test
    void completesAFlushOnlyAfterAllPromises() {
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(add("" + i));
        }
        CompletableFuture<Void> flush = batcher.flush();
        // The second call comes back while the promises of the first complete, as it may on a thread of its own.
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
    void doesNotLetAFlushWaitForThePromiseThatMadeIt() {
        List<Boolean> seen = new ArrayList<>();
        var after = add("a").thenRun(() -> {
            seen.add(batcher.flush().isDone());
            var second = add("b").whenComplete(
                            (value, failure) -> seen.add(batcher.flush().isDone()));
            batcher.close(); // fails the second within the completion of the first
            assertFailed(second, Batcher.CLOSED, 0);
        });
        var flush = batcher.flush();
        runAll();
        assertThat(after).isCompleted();
        assertThat(flush).isCompleted();
        assertThat(seen).containsExactly(true, true);
    }

    @Test
    void completesAFlushOfNothingAtOnce() {
        assertThat(batcher.flush()).isCompleted();
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
    void failsWhatIsNotSettledWhenItCloses() {
        var inFlight = add("a", "a");
        pass(LINGER);
        var waiting = add("b", "a");
        CompletableFuture<Void> flush = batcher.flush();
        batcher.close();
        assertFailed(inFlight, Batcher.CLOSED, 1);
        assertFailed(waiting, Batcher.CLOSED, 0);
        assertFailed(add("c"), Batcher.CLOSED, 0);
        assertThat(flush).isCompleted();
        runAll();
        assertThat(asked).hasSize(1);
        assertThat(batcher.size()).isZero();
    }

    @Test
    void startsTheNextCallBeforePromisesComplete() {
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            all.add(add("" + i));
        }
        List<Integer> waitingCalls = new ArrayList<>();
        var ignored = all.getFirst().thenRun(() -> waitingCalls.add(calls.size()));
        calls.remove().run();
        // The second and the third: whoever waits in a callback for another entry must not wait for its own thread.
        assertThat(waitingCalls).containsExactly(2);
    }

    @Test
    void completesPromisesWithoutItsLock() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var seen = add("a").thenApply(value -> {
                try {
                    return threads.submit(batcher::size).get(10, TimeUnit.SECONDS);
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
    void runsItsTimerUntilItCloses() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Batcher<String, String> real =
                    new Batcher<>(settings(2), this::answer, threads, TimeSource.system(), new SplittableRandom(1));
            var timer = threads.submit(() -> {
                real.runTimer();
                return true;
            });
            long deadline = System.nanoTime() + LIFE.toNanos();
            assertThat(real.add(new BatchEntry<>("a", 1, null, deadline)).get(10, TimeUnit.SECONDS))
                    .isEqualTo("a");
            assertThat(real.add(new BatchEntry<>("b", 1, "b", deadline)).get(10, TimeUnit.SECONDS))
                    .isEqualTo("b");
            real.close();
            assertThat(timer.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void keepsItsPromisesInRandomHistories() {
        int histories = Integer.getInteger("batchsqs.test.histories", 2_000);
        long first = Long.getLong("batchsqs.test.seed", System.nanoTime());
        System.out.println("BatcherTests: " + histories + " histories from seed " + first);
        for (long seed = first; seed < first + histories; seed++) {
            try {
                new BatcherHistory(seed).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("Run again with -Dbatchsqs.test.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private Batcher<String, String> batcher(int maxInFlight) {
        return new Batcher<>(settings(maxInFlight), this::answer, calls::add, time, new SplittableRandom(1));
    }

    private static BatcherSettings settings(int maxInFlight) {
        return new BatcherSettings(
                new BatchLimits(10, 1_000, LINGER), maxInFlight, new Backoff(RETRY, 2, RETRY.multipliedBy(10), false));
    }

    private List<EntryResult<String>> answer(List<String> entries) throws InterruptedException {
        asked.add(entries);
        BatchCall<String, String> next = answers.poll();
        return next == null ? accept(entries) : next.call(entries);
    }

    static List<EntryResult<String>> accept(List<String> entries) {
        List<EntryResult<String>> results = new ArrayList<>();
        entries.forEach(entry -> results.add(new Accepted<>(entry)));
        return results;
    }

    private static BatchCall<String, String> failing(boolean retryable) {
        return entries -> {
            throw new CallFailed(retryable);
        };
    }

    private CompletableFuture<String> add(String item) {
        return add(item, null);
    }

    private CompletableFuture<String> add(String item, @Nullable Object lane) {
        return batcher.add(entry(item, lane, LIFE));
    }

    private void put(String item, @Nullable Object lane) {
        var ignored = add(item, lane);
    }

    private BatchEntry<String> entry(String item, @Nullable Object lane, Duration life) {
        return new BatchEntry<>(item, 1, lane, time.nanos() + life.toNanos());
    }

    private void pass(Duration duration) {
        time.advance(duration);
        batcher.tick();
    }

    private void runAll() {
        for (Runnable next = calls.poll(); next != null; next = calls.poll()) {
            next.run();
        }
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertFailed(
            CompletableFuture<?> promise, String code, int attempts) {
        assertThat(promise).isCompletedExceptionally();
        try {
            var ignored = promise.get();
            throw new AssertionError("completed");
        } catch (InterruptedException | ExecutionException e) {
            assertThat(e.getCause()).isInstanceOfSatisfying(EntryFailedException.class, failure -> {
                assertThat(failure.code()).isEqualTo(code);
                assertThat(failure.attempts()).isEqualTo(attempts);
            });
            return assertThat(e.getCause());
        }
    }

    static final class CallFailed extends BatchSqsException {

        private final boolean retryable;

        CallFailed(boolean retryable) {
            super("call failed");
            this.retryable = retryable;
        }

        @Override
        public boolean retryable() {
            return retryable;
        }
    }
}
