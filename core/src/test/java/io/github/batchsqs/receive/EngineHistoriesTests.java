/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.batchsqs.testkit.QuietThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Thousands of generated histories of the whole engine, against the guarantees that always hold: nothing is
 * lost, groups keep their order, nothing runs twice at once, permits come back, no call breaks a rule of SQS.
 *
 * <p>Each history is decided by its seed alone. {@code -Dhistories=100000} runs more of them, as {@code .ci/reliability/run
 * --full} does; {@code -Dhistories.seed=4711} replays one and prints what happened in it.
 */
class EngineHistoriesTests {

    private static final int HISTORIES = Integer.getInteger("histories", 2_500);

    /**
     * A history hands over from thread to thread and runs one at a time. With several side by side the processors always have
     * one that is ready, which is several times as fast as waking a processor for each step.
     */
    private static final int AT_ONCE = 8 * Runtime.getRuntime().availableProcessors();

    private static final long FIRST_SEED = Long.getLong("histories.first", 1);

    @Test
    void nothingIsLostOrReorderedOrRunTwiceAtOnceWhateverHappens() throws InterruptedException {
        Long wanted = Long.getLong("histories.seed");
        if (wanted != null) {
            replay(wanted);
            return;
        }
        AtomicLong next = new AtomicLong(FIRST_SEED);
        ConcurrentSkipListSet<Long> failed = new ConcurrentSkipListSet<>();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            workers.add(Thread.ofVirtual().name("histories-" + i).start(() -> {
                for (long seed = next.getAndIncrement();
                        seed < FIRST_SEED + HISTORIES && failed.isEmpty();
                        seed = next.getAndIncrement()) {
                    if (!passes(seed)) {
                        failed.add(seed);
                    }
                }
            }));
        }
        for (Thread worker : workers) {
            worker.join();
        }
        if (!failed.isEmpty()) {
            fail(report(failed.first()));
        }
    }

    private static boolean passes(long seed) {
        try {
            return run(seed, null).failure() == null;
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    void aSeedDecidesItsHistory() throws InterruptedException {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 100; seed++) {
            assertThat(run(seed, null).signature())
                    .as("seed %s", seed)
                    .isEqualTo(run(seed, null).signature());
        }
    }

    private static void replay(long seed) throws InterruptedException {
        List<String> trace = new ArrayList<>();
        Outcome outcome = run(seed, trace);
        trace.forEach(System.out::println);
        if (outcome.failure() != null) {
            throw new AssertionError("Seed " + seed, outcome.failure());
        }
    }

    private static String report(long seed) throws InterruptedException {
        List<String> trace = new ArrayList<>();
        Throwable failure = run(seed, trace).failure();
        return "The history of seed " + seed + " fails (replay it with -Dhistories.seed=" + seed + "): " + failure
                + "\n"
                + trace.getFirst() + "\n…\n"
                + String.join("\n", trace.subList(Math.max(1, trace.size() - 60), trace.size()));
    }

    private record Outcome(long signature, @Nullable Throwable failure) {}

    /** On a virtual thread, because handing over between virtual threads is cheap. */
    private static Outcome run(long seed, @Nullable List<String> trace) throws InterruptedException {
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        Thread.ofVirtual()
                .name("history-" + seed)
                .start(() -> {
                    QuietThreads.join();
                    try {
                        outcome.set(new Outcome(new History(seed, trace).run(), null));
                    } catch (Throwable e) {
                        outcome.set(new Outcome(0, e));
                    }
                })
                .join();
        return outcome.get();
    }
}
