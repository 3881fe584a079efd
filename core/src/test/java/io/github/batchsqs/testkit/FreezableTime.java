/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
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
    private volatile @Nullable Moment last;

    private record Moment(long nanos, Instant now) {}

    /** Stands still from now on, but for a nanosecond with each look at it: no two moments are the same. */
    public void freeze() {
        last = new Moment(system.nanos(), system.now());
        frozen = last;
    }

    /** Stands still at a moment that long after the last one at which it stood still, also if it has gone on since. */
    public void freezeAfterLast(Duration later) {
        Moment moment = Objects.requireNonNull(last, "never frozen");
        frozen = new Moment(moment.nanos() + later.toNanos(), moment.now().plus(later));
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
