/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class VirtualTimeTests {

    private final VirtualTime threads = new VirtualTime();
    private final List<String> log = new ArrayList<>();

    @Test
    void strandsSleepInVirtualTime() {
        sleeper("one", 3_000_000_000_000L);
        sleeper("other", 1_000_000_000_000L);
        threads.runUntil(2_000_000_000_000L);
        assertThat(log).containsExactly("other at 1000");
        assertThat(threads.nanos()).isEqualTo(2_000_000_000_000L);

        threads.runUntil(4_000_000_000_000L);
        assertThat(log).containsExactly("other at 1000", "one at 3000");
        threads.end();
    }

    @Test
    void wakingUpEarlyDoesNotMakeAStrandThatRunsLookStuck() {
        Thread main = Thread.currentThread();
        var unused = threads.start("wakes", () -> {
            for (int i = 0; i < 100_000; i++) {
                LockSupport.unpark(main);
                Thread.onSpinWait();
            }
            log.add("ran");
        });

        threads.runUntil(1);

        assertThat(log).containsExactly("ran");
        threads.end();
    }

    @Test
    void aSignalEndsAWaitBeforeItsLimit() {
        VirtualLock lock = new VirtualLock();
        Condition condition = lock.newCondition();
        var unused = threads.start("waits", () -> {
            lock.lock();
            try {
                for (int i = 0; i < 2; i++) {
                    long left = condition.awaitNanos(10_000_000_000L);
                    log.add(left / 1_000_000_000L + " s left");
                }
            } catch (InterruptedException e) {
                log.add("interrupted");
            } finally {
                lock.unlock();
            }
        });
        VirtualTime.Event ignored = threads.at(4_000_000_000L, () -> {
            lock.lock();
            try {
                condition.signal();
            } finally {
                lock.unlock();
            }
        });
        threads.runUntil(20_000_000_000L);

        assertThat(log).containsExactly("6 s left", "0 s left");
        threads.end();
    }

    @Test
    void theEndInterruptsWhatStillWaits() {
        sleeper("never", Long.MAX_VALUE / 2);
        threads.runUntil(1);
        threads.end();

        assertThat(log).containsExactly("never is interrupted");
    }

    @Test
    void theFailureOfAStrandIsThatOfTheRun() {
        IllegalArgumentException failure = new IllegalArgumentException("Simulated");
        var unused = threads.start("fails", () -> {
            throw failure;
        });

        assertThatIllegalStateException().isThrownBy(() -> threads.runUntil(1)).withCause(failure);
    }

    private void sleeper(String name, long nanos) {
        var unused = threads.start(name, () -> {
            try {
                threads.sleep(nanos);
                log.add(name + " at " + threads.nanos() / 1_000_000_000L);
            } catch (InterruptedException e) {
                log.add(name + " is interrupted");
            }
        });
    }
}
