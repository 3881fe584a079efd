/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.time.TimeSource;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The system's clock while it is not frozen. A stop that begins on a frozen clock gives each of its steps the whole shutdown
 * timeout, so that no step is cut short on a machine that stalls. Safe for use by any thread.
 */
public final class FreezableTime implements TimeSource {
    private final TimeSource system = TimeSource.system();
    private final AtomicLong looks = new AtomicLong();
    private volatile @Nullable Moment frozen;

    private record Moment(long nanos, Instant now) {}

    /** Stands still from now on, but for a nanosecond with each look at it: no two moments are the same. */
    public void freeze() {
        frozen = new Moment(system.nanos(), system.now());
    }

    /** Shows the system's time again. */
    public void goOn() {
        frozen = null;
    }

    @Override
    public long nanos() {
        Moment moment = frozen;
        return moment == null ? system.nanos() : moment.nanos() + looks.incrementAndGet();
    }

    @Override
    public Instant now() {
        Moment moment = frozen;
        return moment == null ? system.now() : moment.now();
    }
}
