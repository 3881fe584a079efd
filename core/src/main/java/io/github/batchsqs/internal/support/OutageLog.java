/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.time.Duration;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs one kind of call to SQS that keeps failing: one line when the failures begin, one a minute while they last, and one
 * with the length of the outage when a call succeeds again.
 *
 * <p>An error code that this outage has not logged yet is logged at once, so that a missing permission is named at its
 * first refusal. Calls that alternate between success and failure log at most one outage a minute; one that begins within that minute
 * is logged when every call has failed for five seconds.
 *
 * <p>Safe for use by any thread. The lines are written without a lock, and nothing is thrown if that fails. {@link #succeeded} costs one
 * volatile read while nothing fails.
 */
public final class OutageLog {

    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    /** Calls that have all failed for so long do not alternate between success and failure. */
    private static final long CERTAIN_NANOS = Duration.ofSeconds(5).toNanos();

    private static final String TRIED_AGAIN = "it is tried again until it succeeds";

    private final SafeLog log;
    private final TimeSource time;
    private final String subject;
    private final Consumer<String> begun;
    private final Consumer<Duration> ended;

    private final ReentrantLock lock = new EngineLock();
    private final Set<String> loggedCodes = new HashSet<>();

    /** What is to be logged and told. */
    private final Queue<Runnable> lines = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean telling = new AtomicBoolean();

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
        this(log, time, subject, code -> {}, length -> {});
    }

    /**
     * Makes the same, which others hear of.
     *
     * @param begun gets the error code of each outage of which the log has a first line; called without a lock
     * @param ended gets the length of each of these when it ends; called without a lock
     */
    public OutageLog(Logger log, TimeSource time, String subject, Consumer<String> begun, Consumer<Duration> ended) {
        this.log = new SafeLog(log);
        this.time = time;
        this.subject = subject;
        this.begun = begun;
        this.ended = ended;
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
        Locked.run(lock, () -> {
            long now = time.nanos();
            if (!failing) {
                failing = true;
                failingSince = now - lasting.toNanos();
                unbrokenSince = failingSince;
                failures = 0;
                logged = false;
            }
            lastFailedAt = now;
            failures += calls;
            boolean certain = !logged && now - unbrokenSince >= CERTAIN_NANOS;
            if (certain || now - loggedAt >= INTERVAL_NANOS) {
                loggedCodes.clear();
            }
            if (loggedCodes.add(code)) {
                lines.add(line(code, message, consequence, now));
            }
        });
        tell();
    }

    /** Logs and tells what is due without the lock, in its order: an end follows its beginning. One thread at a time does so for all. */
    private void tell() {
        while (!lines.isEmpty() && telling.compareAndSet(false, true)) {
            Runnable next = lines.poll();
            try {
                if (next != null) {
                    next.run();
                }
            } finally {
                telling.set(false);
            }
        }
    }

    private Runnable line(String code, @Nullable String message, String consequence, long now) {
        loggedAt = now;
        if (!logged) {
            logged = true;
            return () -> {
                log.warn("{} fails ({}): {}; {}", subject, code, Words.unended(message), consequence);
                begun.accept(code);
            };
        }
        String length = Words.measured(length(now));
        String times = Words.count(failures, "time");
        return () ->
                log.warn("{} has failed for {}, {}; the last error is {}: {}", subject, length, times, code, message);
    }

    /** Records a successful call: an outage that was under way is over. */
    public void succeeded() {
        if (failing) {
            succeeded(time.nanos());
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
        if (!failing) {
            return;
        }
        Locked.run(lock, () -> {
            long now = time.nanos();
            if (failing && calledAt - lastFailedAt >= 0) {
                failing = false;
                if (logged) {
                    lines.add(lastLine(length(now), failures));
                }
            } else if (failing && calledAt - failingSince >= 0) {
                unbrokenSince = now;
            }
        });
        tell();
    }

    private Runnable lastLine(Duration length, long calls) {
        return () -> {
            log.info(
                    "{} succeeds again after {} and {}",
                    subject,
                    Words.measured(length),
                    Words.count(calls, "failure"));
            ended.accept(length);
        };
    }

    /**
     * How long every call has failed, from the first failure to the last; zero if one has succeeded since, or if the last failure is
     * so old that it does not show the present state.
     */
    public Duration lasting(Duration stale) {
        return Locked.get(
                lock,
                () -> failing && time.nanos() - lastFailedAt <= stale.toNanos()
                        ? Duration.ofNanos(Math.max(0, lastFailedAt - unbrokenSince))
                        : Duration.ZERO);
    }

    /** How long every call has failed; zero if the last one succeeded. */
    public Duration failingFor() {
        return Locked.get(lock, () -> failing ? Duration.ofNanos(time.nanos() - unbrokenSince) : Duration.ZERO);
    }

    private Duration length(long now) {
        return Duration.ofNanos(now - failingSince);
    }
}
