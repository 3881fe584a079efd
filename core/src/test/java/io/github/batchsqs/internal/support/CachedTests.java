/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CachedTests {

    private final AtomicInteger reads = new AtomicInteger();

    /** A connection pool, below a health indicator, responds to an interrupt in this way. */
    @Test
    void whatAnInterruptedThreadHasReadIsNotKeptForOthers() throws Exception {
        var never = new CountDownLatch(1);
        var value = new Cached<>(
                () -> {
                    if (reads.incrementAndGet() == 1) {
                        try {
                            never.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                            return "DOWN";
                        }
                    }
                    return "UP";
                },
                Duration.ofSeconds(1),
                new SettableTime());
        var paused = new FutureTask<>(value::get);
        Thread poller = Thread.ofVirtual().start(paused);
        Progress.until(reads::get, 1);
        poller.interrupt();

        assertThat(Progress.get(paused)).isEqualTo("DOWN");
        assertThat(value.get()).isEqualTo("UP");
        assertThat(value.get()).isEqualTo("UP");
        assertThat(reads).hasValue(2);
    }
}
