/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which calls fail, and how. The fate of the n-th call of an operation follows from the seed alone, so the same seed brings
 * the same faults again. Safe for use by any thread.
 */
final class Scenario {

    private static final String SEND = "SendMessageBatch";
    private static final int MOST_ENTRIES = 10;

    private final long seed;
    private final int percent;
    private final List<Fault> faults;
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final Map<Happened, AtomicInteger> happened = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> late = new ConcurrentHashMap<>();

    private record Happened(Fault fault, String operation) {}

    /** So many of a hundred calls fail, each in one of these ways. */
    Scenario(long seed, int percent, Fault... faults) {
        this.seed = seed;
        this.percent = percent;
        this.faults = List.of(faults);
    }

    /**
     * The fate of a call.
     *
     * @param fault what happens to it; {@code null} for nothing
     * @param random decides the details
     */
    record Fate(@Nullable Fault fault, Random random) {}

    /** The fate of the next call of an operation. */
    Fate next(String operation) {
        int number =
                calls.computeIfAbsent(operation, key -> new AtomicInteger()).incrementAndGet();
        Random random = new Random(seed * 31 + operation.hashCode() * 1_000_003L + number);
        boolean spared = random.nextInt(100) >= percent;
        return new Fate(spared ? null : faults.get(random.nextInt(faults.size())), random);
    }

    /** Counts what a fault touched: calls, or entries and messages where it picks some. */
    void happened(Fault fault, String operation, int touched) {
        happened.computeIfAbsent(new Happened(fault, operation), key -> new AtomicInteger())
                .addAndGet(touched);
    }

    /** Counts an answer that came so late that the client may have given up, by no wish of a test. */
    void late(String operation) {
        late.computeIfAbsent(operation, key -> new AtomicInteger()).incrementAndGet();
    }

    /** The operations that something happened to. */
    Set<String> touched() {
        return happened.keySet().stream().map(Happened::operation).collect(Collectors.toSet());
    }

    int happened() {
        return sum(key -> true);
    }

    /** The most messages that may run again: the deletes that were accepted and not carried out. Nobody can know of those. */
    int mayRunAgain() {
        return sum(key -> key.fault() == Fault.STALE_HANDLE && key.operation().equals("DeleteMessageBatch"));
    }

    /** The most messages that may be sent twice to a standard queue: those whose sender got no answer. */
    int maySendTwice() {
        int calls = sum(key -> key.fault().hidesTheAnswer() && key.operation().equals(SEND));
        int entries =
                sum(key -> key.fault() == Fault.PARTIAL_AFTER && key.operation().equals(SEND));
        int tooLate = late.getOrDefault(SEND, new AtomicInteger()).get();
        return MOST_ENTRIES * (calls + tooLate) + entries;
    }

    private int sum(Predicate<Happened> which) {
        return happened.entrySet().stream()
                .filter(entry -> which.test(entry.getKey()))
                .mapToInt(entry -> entry.getValue().get())
                .sum();
    }
}
