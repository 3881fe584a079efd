/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.EntryResult.Accepted;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;

/** A batcher on a time that is set, with calls that run when the test says so. */
abstract class BatcherFixture {

    static final Duration LINGER = Duration.ofMillis(5);
    static final Duration RETRY = Duration.ofSeconds(1);
    static final Duration LIFE = Duration.ofMinutes(1);

    final SettableTime time = new SettableTime();
    final Queue<Runnable> calls = new ArrayDeque<>();
    final Queue<BatchCall<String, String>> responses = new ConcurrentLinkedQueue<>();
    final List<List<String>> asked = new CopyOnWriteArrayList<>();
    final Queue<Runnable> completions = new ArrayDeque<>();
    final Batcher<String, String> batcher = batcher(2);

    static boolean mayHaveBeenAccepted(CompletableFuture<?> future) {
        return future.exceptionNow() instanceof EntryFailedException failure && failure.mayHaveBeenAccepted();
    }

    /** By item: no test adds one again that is not delivered yet. */
    private final Map<String, CompletableFuture<String>> futures = new ConcurrentHashMap<>();

    Batcher<String, String> batcher(int maxInFlight) {
        return batcher(settings(maxInFlight), this::respond, this::execute, time);
    }

    Batcher<String, String> batcher(BatchCall<String, String> call) {
        return batcher(settings(1), call, this::execute, time);
    }

    /** Makes a batcher whose outcomes reach the futures of {@link #addAll}. */
    Batcher<String, String> batcher(
            BatcherSettings settings, BatchCall<String, String> call, Executor executor, TimeSource clock) {
        BatchCall<String, String> delivering = new BatchCall<>() {
            @Override
            public List<EntryResult<String>> call(List<String> entries) throws InterruptedException {
                return call.call(entries);
            }

            @Override
            public CallFailure judge(Throwable failure) {
                return call.judge(failure);
            }

            @Override
            public void called(List<EntryResult<String>> results, @Nullable Throwable failure) {
                call.called(results, failure);
            }

            @Override
            public void settled(List<? extends SettledEntry<String, String>> entries) {
                call.settled(entries);
            }

            @Override
            public void deliver(SettledEntry<String, String> entry) {
                try {
                    call.deliver(entry);
                } finally {
                    var future = Objects.requireNonNull(futures.remove(entry.entry()));
                    Throwable cause = entry.cause();
                    boolean ignored =
                            cause == null ? future.complete(entry.result()) : future.completeExceptionally(cause);
                }
            }
        };
        return new Batcher<>(settings, delivering, executor, clock, new SplittableRandom(1));
    }

    static BatcherSettings settings(int maxInFlight) {
        return new BatcherSettings(LINGER, maxInFlight, new Backoff(RETRY, 2, RETRY.multipliedBy(10), false));
    }

    List<EntryResult<String>> respond(List<String> entries) throws InterruptedException {
        asked.add(entries);
        BatchCall<String, String> next = responses.poll();
        return next == null ? accept(entries) : next.call(entries);
    }

    static List<EntryResult<String>> accept(List<String> entries) {
        List<EntryResult<String>> results = new ArrayList<>();
        entries.forEach(entry -> results.add(new Accepted<>(entry)));
        return results;
    }

    CompletableFuture<String> add(String item) {
        return add(item, null);
    }

    CompletableFuture<String> add(String item, @Nullable Object key) {
        return add(batcher, entry(item, key, LIFE));
    }

    CompletableFuture<String> add(Batcher<String, String> to, BatchEntry<String> entry) {
        return addAll(to, List.of(entry)).getFirst();
    }

    List<CompletableFuture<String>> addAll(Batcher<String, String> to, List<BatchEntry<String>> entries) {
        List<CompletableFuture<String>> added = new ArrayList<>();
        for (BatchEntry<String> each : entries) {
            added.add(new CompletableFuture<>());
            futures.put(each.item(), added.getLast());
        }
        to.addAll(entries);
        return added;
    }

    void put(String item, @Nullable Object key) {
        var ignored = add(item, key);
    }

    BatchEntry<String> entry(String item, @Nullable Object orderingKey, Duration life) {
        return new BatchEntry<>(item, 1, orderingKey, time.nanos() + life.toNanos());
    }

    void pass(Duration duration) {
        time.advance(duration);
        batcher.tick();
        complete();
    }

    /** Where calls run: futures that complete apart from a call have threads of their own. */
    void execute(Runnable task) {
        (task instanceof Completion ? completions : calls).add(task);
    }

    void complete() {
        for (Runnable next = completions.poll(); next != null; next = completions.poll()) {
            next.run();
        }
    }

    void close() {
        batcher.close();
        complete();
    }

    void runAll() {
        for (Runnable next = calls.poll(); next != null; next = calls.poll()) {
            next.run();
        }
    }

    static AbstractThrowableAssert<?, ? extends Throwable> assertFailed(
            CompletableFuture<?> future, String code, int attempts) {
        assertThat(future).isCompletedExceptionally();
        try {
            var ignored = future.get();
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

        final boolean retryable;

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
