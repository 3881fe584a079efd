/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Allows something, for example a log line, at once and then at most once a minute. Safe for use by any thread. */
public final class OncePerMinute {

    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final TimeSource time;
    private final AtomicLong next;

    public OncePerMinute(TimeSource time) {
        this.time = time;
        this.next = new AtomicLong(time.nanos());
    }

    /** Returns whether it is due, to one thread only, and begins the next minute if so. */
    public boolean due() {
        long now = time.nanos();
        long due = next.get();
        return now - due >= 0 && next.compareAndSet(due, now + INTERVAL_NANOS);
    }
}
