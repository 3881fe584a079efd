/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.micro;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.batch.BatchCall;
import io.github.batchsqs.internal.batch.BatchEntry;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.batch.BatcherSettings;
import io.github.batchsqs.internal.batch.SettledEntry;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.internal.support.TimerThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the accumulator itself costs per entry: a thousand entries go in and come back accepted by a call that does nothing.
 * The difference between the two executors is what a virtual thread per call costs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class BatcherBenchmark {

    private static final int ENTRIES = 1_000;
    private static final int PER_CALL = 10;
    private static final BatcherSettings SETTINGS = new BatcherSettings(
            Duration.ofMillis(50), 8, Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5)));

    private Batcher<CompletableFuture<Integer>, Integer> onCallersThread = batcher(Runnable::run);
    private Batcher<CompletableFuture<Integer>, Integer> onVirtualThreads = batcher(Thread::startVirtualThread);

    @Setup
    public void setUp() {
        onCallersThread = batcher(Runnable::run);
        onVirtualThreads = batcher(Thread::startVirtualThread);
        TimerThreads timers = new TimerThreads(Thread::startVirtualThread, Thread::startVirtualThread);
        for (Batcher<CompletableFuture<Integer>, Integer> each : List.of(onCallersThread, onVirtualThreads)) {
            each.timedBy(timers.alarm(TimeSource.system(), each::tick, failure -> {}));
        }
    }

    @TearDown
    public void tearDown() {
        onCallersThread.close();
        onVirtualThreads.close();
    }

    @Benchmark
    @OperationsPerInvocation(ENTRIES)
    public void oneByOneOnCallersThread() {
        addOneByOne(onCallersThread);
    }

    @Benchmark
    @OperationsPerInvocation(ENTRIES)
    public void oneByOneOnVirtualThreads() {
        addOneByOne(onVirtualThreads);
    }

    @Benchmark
    @OperationsPerInvocation(ENTRIES)
    public void tenAtOnceOnVirtualThreads() {
        List<CompletableFuture<Integer>> futures = new ArrayList<>(ENTRIES);
        for (int i = 0; i < ENTRIES / PER_CALL; i++) {
            onVirtualThreads.addAll(entries(PER_CALL, futures));
        }
        join(futures);
    }

    /** Eight threads share the accumulator. */
    @Benchmark
    @Threads(8)
    @OperationsPerInvocation(ENTRIES)
    public void oneByOneFromEightThreads() {
        addOneByOne(onVirtualThreads);
    }

    private static void addOneByOne(Batcher<CompletableFuture<Integer>, Integer> batcher) {
        List<CompletableFuture<Integer>> futures = new ArrayList<>(ENTRIES);
        for (int i = 0; i < ENTRIES; i++) {
            batcher.addAll(entries(1, futures));
        }
        join(futures);
    }

    private static void join(List<CompletableFuture<Integer>> futures) {
        CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new)).join();
    }

    private static List<BatchEntry<CompletableFuture<Integer>>> entries(
            int count, List<CompletableFuture<Integer>> futures) {
        long deadline = TimeSource.system().nanos() + Duration.ofMinutes(1).toNanos();
        List<BatchEntry<CompletableFuture<Integer>>> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            futures.add(new CompletableFuture<>());
            entries.add(new BatchEntry<>(futures.getLast(), 1, null, deadline));
        }
        return entries;
    }

    private static Batcher<CompletableFuture<Integer>, Integer> batcher(Executor executor) {
        BatchCall<CompletableFuture<Integer>, Integer> accept = new BatchCall<>() {
            @Override
            public List<EntryResult<Integer>> call(List<CompletableFuture<Integer>> entries) {
                List<EntryResult<Integer>> results = new ArrayList<>(entries.size());
                entries.forEach(entry -> results.add(new EntryResult.Accepted<>(results.size())));
                return results;
            }

            @Override
            public void deliver(SettledEntry<CompletableFuture<Integer>, Integer> settled) {
                settled.entry().complete(settled.result());
            }
        };
        return new Batcher<>(SETTINGS, accept, executor, TimeSource.system(), new Random());
    }
}
