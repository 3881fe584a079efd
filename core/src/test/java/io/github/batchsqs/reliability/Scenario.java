/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Which calls fail, and how. The fate of the n-th call of an operation follows from the seed alone, so the same seed brings
 * the same faults again. Safe for use by any thread.
 */
final class Scenario {

    private final long seed;
    private final int percent;
    private final List<Fault> faults;
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> happened = new ConcurrentHashMap<>();

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
    void happened(String operation, int touched) {
        happened.computeIfAbsent(operation, key -> new AtomicInteger()).addAndGet(touched);
    }

    /** The operations that something happened to. */
    Set<String> touched() {
        return happened.keySet();
    }

    int happened() {
        return happened.values().stream().mapToInt(AtomicInteger::get).sum();
    }
}
