/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.internal.support.TimeSource;
import java.time.Instant;

/**
 * The time of this machine, so many times as fast.
 *
 * @param times how many times
 */
public record FastTime(int times) implements TimeSource {

    @Override
    public long nanos() {
        return System.nanoTime() * times;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos());
    }

    @Override
    public long ofMachine(long nanos) {
        return Math.ceilDiv(nanos, times);
    }
}
