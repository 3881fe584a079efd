/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs one kind of event that may concern every message: the first in full, by the caller; then one line a minute with the
 * number of further ones; and one line when there was none for a minute.
 *
 * <p>Never throws. Safe for use by any thread; the owner calls {@link #logDue} every few seconds, and {@link #logRest} when
 * it stops.
 */
public final class RecurringLog {

    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final SafeLog log;
    private final TimeSource time;
    private final String subject;

    private final ReentrantLock lock = new EngineLock();
    private volatile boolean recurring;
    private long since;
    private long lastAt;
    private long loggedAt;
    private long events;
    private long unlogged;
    private @Nullable String last;

    /**
     * Makes the log of one kind of event.
     *
     * @param subject begins each line, for example {@code Listener orders: messages that cannot be converted}
     */
    public RecurringLog(Logger log, TimeSource time, String subject) {
        this.log = new SafeLog(log);
        this.time = time;
        this.subject = subject;
    }

    /**
     * Records events.
     *
     * @param number how many
     * @param detail describes the last of them, for the line that counts them
     * @return whether they are the first, so that the caller logs them in full
     */
    public boolean record(int number, @Nullable String detail) {
        lock.lock();
        try {
            long now = time.nanos();
            boolean first = !recurring;
            if (first) {
                recurring = true;
                since = now;
                loggedAt = now;
                events = 0;
                unlogged = 0;
            } else {
                unlogged += number;
            }
            events += number;
            lastAt = now;
            last = detail;
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Writes the line that is due, if one is. Costs one volatile read while nothing recurs. */
    public void logDue() {
        if (!recurring) {
            return;
        }
        lock.lock();
        try {
            long now = time.nanos();
            if (now - loggedAt >= INTERVAL_NANOS) {
                logUnlogged(now);
            }
            if (unlogged == 0 && now - lastAt >= INTERVAL_NANOS) {
                recurring = false;
                log.info(
                        "{}: none for {} after {} in {}", subject, seconds(now - lastAt), events, seconds(now - since));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Writes the line of the events that no line has counted yet, also if it is not due. */
    public void logRest() {
        if (!recurring) {
            return;
        }
        lock.lock();
        try {
            logUnlogged(time.nanos());
        } finally {
            lock.unlock();
        }
    }

    private void logUnlogged(long now) {
        if (unlogged > 0) {
            log.warn(
                    "{}: {} more in {}, {} in all; the last: {}",
                    subject,
                    unlogged,
                    seconds(now - loggedAt),
                    events,
                    last);
            loggedAt = now;
            unlogged = 0;
        }
    }

    private static String seconds(long nanos) {
        return Check.text(Duration.ofSeconds(Duration.ofNanos(nanos).toSeconds()));
    }
}
