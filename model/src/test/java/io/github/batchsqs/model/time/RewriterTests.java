/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.model.rewritten.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RewriterTests {

    @BeforeAll
    static void rewrite() {
        Rewriter.install("io.github.batchsqs.model.rewritten");
    }

    @Test
    void whateverCodeWaitsForTakesVirtualTimeOnly() {
        assertThat(logOf(7))
                .containsExactlyInAnyOrder(
                        "asleep until 3600",
                        "latch after 7200",
                        "no latch after 60",
                        "semaphore after 7200",
                        "no permits after 60",
                        "condition after 7200",
                        "no signal after 60",
                        "future after 7200",
                        "no result after 60",
                        "queue after 7200",
                        "nothing after 60",
                        "unparked after 7200",
                        "joined after 7200",
                        "interrupted after 7200",
                        "pool of 2 takes 10800",
                        "lock after 7200");
        assertThat(Rewriter.unknown()).isEmpty();
    }

    @Test
    void aSeedDecidesTheOrder() {
        assertThat(logOf(1)).isEqualTo(logOf(1)).isNotEqualTo(logOf(2));
    }

    @Test
    void elsewhereTheJdkWaits() throws InterruptedException {
        assertThat(Waits.elsewhere()).isTrue();
    }

    @Test
    void strandsThatComputeKeepTheirCarriers() {
        VirtualTime time = new VirtualTime(new SplittableRandom(1));
        VirtualTime.Host host = time.host("two carriers", 2);
        List<String> log = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            var unused = time.start(host, "computes", () -> time.compute(10_000_000_000L));
        }
        var unused = time.start(host, "late", () -> {
            log.add("virtual at " + time.nanos() / 1_000_000_000L);
        });
        var ignored = time.start(time.host("another", 1), "at once", () -> {
            log.add("other host at " + time.nanos() / 1_000_000_000L);
        });
        time.runUntil(60_000_000_000L);

        assertThat(log).containsExactlyInAnyOrder("other host at 0", "virtual at 10");
        time.end();
    }

    @Test
    void aKilledProcessDoesNothingAnyMore() {
        VirtualTime time = new VirtualTime(new SplittableRandom(1));
        VirtualTime.Host host = time.host("killed", 2);
        List<String> log = new ArrayList<>();
        var unused = time.start(host, "sleeps", () -> {
            try {
                time.sleep(1_000_000_000L);
                log.add("slept");
            } catch (InterruptedException e) {
                log.add("over at " + time.nanos());
            }
        });
        time.runUntil(1);
        time.kill(host);
        time.runUntil(2_000_000_000L);

        assertThat(log).isEmpty();
        time.end();
    }

    private static List<String> logOf(long seed) {
        VirtualTime time = new VirtualTime(new SplittableRandom(seed));
        List<String> log = new ArrayList<>();
        var unused = time.start("waits", () -> new Waits(log).all());
        time.runUntil(1_000_000_000_000_000L);
        time.end();
        return log;
    }
}
