/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Allows something, for example a log line, at once and then at most once a minute, and counts what happens in between. Safe for use by
 * any thread.
 */
public final class OncePerMinute {

    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final TimeSource time;
    private final AtomicLong next;
    private final AtomicLong unlogged = new AtomicLong();

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

    /**
     * Records events, each of which is worth a line.
     *
     * @return the end of the line if one is due, which counts the events since the last one; {@code null} if none is due
     */
    public @Nullable String record(int events) {
        long before = unlogged.getAndAdd(events);
        if (!due()) {
            return null;
        }
        unlogged.addAndGet(-before - events);
        return before == 0
                ? "; there is at most one such line a minute"
                : "; " + before + " more since the last such line";
    }
}
