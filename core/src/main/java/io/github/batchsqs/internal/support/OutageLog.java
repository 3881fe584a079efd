/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs one kind of call to SQS that keeps failing: one line when the failures begin, one a minute while they last, and one
 * with the length of the outage when a call succeeds again.
 *
 * <p>An error code that this outage has not logged yet is logged at once, so that a missing permission is named at its
 * first refusal. Calls that alternate between success and failure log at most one outage a minute.
 *
 * <p>Safe for use by any thread. {@link #succeeded} costs one volatile read while nothing fails.
 */
public final class OutageLog {

    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private static final String TRIED_AGAIN = "it is tried again until it succeeds";

    private final Logger log;
    private final TimeSource time;
    private final String subject;

    private final ReentrantLock lock = new EngineLock();
    private final Set<String> loggedCodes = new HashSet<>();
    private volatile boolean failing;
    private boolean logged;
    private long failingSince;
    /** When the last call succeeded that did not end the outage, or when the outage began. */
    private long unbrokenSince;

    private long lastFailedAt;
    private long failures;
    private long loggedAt;

    /**
     * Makes the log of one kind of call.
     *
     * @param subject begins each line, for example {@code Listener orders: receiving from orders-queue}
     */
    public OutageLog(Logger log, TimeSource time, String subject) {
        this.log = log;
        this.time = time;
        this.subject = subject;
    }

    /** Records a failed call that is tried again until it succeeds. */
    public void failed(String code, @Nullable String message) {
        failed(code, message, TRIED_AGAIN);
    }

    /**
     * Records a failed call.
     *
     * @param consequence whether and for how long it is tried again; ends the line that logs the beginning
     */
    public void failed(String code, @Nullable String message, String consequence) {
        failed(code, message, consequence, 1, Duration.ZERO);
    }

    /**
     * Records calls that fail by not ending.
     *
     * @param calls how many have not been recorded before
     * @param lasting for how long the first of them has not ended
     */
    public void failed(String code, @Nullable String message, int calls, Duration lasting) {
        failed(code, message, TRIED_AGAIN, calls, lasting);
    }

    private void failed(String code, @Nullable String message, String consequence, int calls, Duration lasting) {
        lock.lock();
        try {
            long now = time.nanos();
            boolean begins = !failing;
            if (begins) {
                failing = true;
                failingSince = now - lasting.toNanos();
                unbrokenSince = failingSince;
                failures = 0;
                logged = false;
            }
            lastFailedAt = now;
            failures += calls;
            boolean due = loggedCodes.isEmpty() || now - loggedAt >= INTERVAL_NANOS;
            if (due) {
                loggedCodes.clear();
            }
            if (loggedCodes.add(code)) {
                log(code, message, consequence, now);
            }
        } finally {
            lock.unlock();
        }
    }

    private void log(String code, @Nullable String message, String consequence, long now) {
        loggedAt = now;
        if (logged) {
            log.warn(
                    "{} has failed for {}, {}; the last error is {}: {}",
                    subject,
                    length(now),
                    Words.count(failures, "time"),
                    code,
                    message);
        } else {
            logged = true;
            log.warn("{} fails ({}): {}; {}", subject, code, Words.unended(message), consequence);
        }
    }

    /** Records a successful call: an outage that was under way is over. */
    public void succeeded() {
        if (failing) {
            end(true, 0);
        }
    }

    /**
     * Records a successful call among concurrent ones. It ends an outage only if it began after the last failure: a call
     * that was under way when the outage began does not show its end. If it began during the outage, not all calls fail, and
     * {@link #lasting} and {@link #failingFor} begin anew.
     *
     * @param calledAt when the call began, in the nanoseconds of the {@link TimeSource}
     */
    public void succeeded(long calledAt) {
        if (failing) {
            end(false, calledAt);
        }
    }

    private void end(boolean anyCall, long calledAt) {
        lock.lock();
        try {
            if (failing && (anyCall || calledAt - lastFailedAt >= 0)) {
                failing = false;
                if (logged) {
                    log.info(
                            "{} succeeds again after {} and {}",
                            subject,
                            length(time.nanos()),
                            Words.count(failures, "failure"));
                }
            } else if (failing && calledAt - failingSince >= 0) {
                unbrokenSince = time.nanos();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * How long every call has failed, from the first failure to the last; zero if one has succeeded since, or if the last failure is
     * so old that it does not show the present state.
     */
    public Duration lasting(Duration stale) {
        lock.lock();
        try {
            return failing && time.nanos() - lastFailedAt <= stale.toNanos()
                    ? Duration.ofNanos(Math.max(0, lastFailedAt - unbrokenSince))
                    : Duration.ZERO;
        } finally {
            lock.unlock();
        }
    }

    /** How long every call has failed; zero if the last one succeeded. */
    public Duration failingFor() {
        lock.lock();
        try {
            return failing ? Duration.ofNanos(time.nanos() - unbrokenSince) : Duration.ZERO;
        } finally {
            lock.unlock();
        }
    }

    private String length(long now) {
        return Words.measured(Duration.ofNanos(now - failingSince));
    }
}
