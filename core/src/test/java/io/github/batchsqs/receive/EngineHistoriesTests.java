/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Thousands of generated histories of the whole engine, against what the design promises whatever happens (§5): nothing is
 * lost, groups keep their order, nothing runs twice at once, permits come back, no call breaks a rule of SQS.
 *
 * <p>Each history is decided by its seed alone. {@code -Dhistories=100000} runs more of them, {@code -Dhistories.seed=4711}
 * replays one and prints what happened in it.
 */
class EngineHistoriesTests {

    private static final int HISTORIES = Integer.getInteger("histories", 10_000);
    private static final long FIRST_SEED = Long.getLong("histories.first", 1);

    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.batchsqs");
    private @Nullable Level level;

    @BeforeEach
    void thousandsOfFailuresAreNotLogged() {
        level = log.getLevel();
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void othersLogAsBefore() {
        log.setLevel(level);
    }

    @Test
    void nothingIsLostOrReorderedOrRunTwiceAtOnceWhateverHappens() throws InterruptedException {
        Long wanted = Long.getLong("histories.seed");
        if (wanted != null) {
            replay(wanted);
            return;
        }
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            Outcome outcome = run(seed, null);
            if (outcome.failure() != null) {
                fail(report(seed));
            }
        }
    }

    @Test
    void aSeedDecidesItsHistory() throws InterruptedException {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 200; seed++) {
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
