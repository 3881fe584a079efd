/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time that stands still until a test advances it.
 *
 * <p>The monotonic time starts below zero and soon crosses it, so that code which takes zero for "unset" fails its test.
 * Safe for use by any thread.
 */
public final class SettableTime implements TimeSource {

    private static final long FIRST_NANOS = -1_500_000_000L;
    private static final Instant FIRST_INSTANT = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicLong nanos = new AtomicLong(FIRST_NANOS);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return FIRST_INSTANT.plusNanos(nanos.get() - FIRST_NANOS);
    }

    /** Moves time on, then tells the listeners. */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("Time does not run backwards: " + by);
        }
        nanos.addAndGet(by.toNanos());
        listeners.forEach(Runnable::run);
    }

    /** Has the listener run by the advancing thread after each advance, for those who wait for a time. */
    public void onAdvance(Runnable listener) {
        listeners.add(listener);
    }
}
