/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Locked;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * How many invocations of a run there may be at once: the number of the options, or that of an {@link AutomaticLimit}, which
 * gets the time of each invocation from its hand-off. The stages follow a change at once. The log has a line when an automatic limit falls
 * below half of what it was a minute ago.
 *
 * <p>A fixed number costs one volatile read for each invocation. Safe for use by any thread.
 */
public final class InvocationLimit {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ListenerContainer.class));
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final String listener;
    private final Runnable stages;
    private final TimeSource time;

    private final ReentrantLock lock = new EngineLock();

    private volatile @Nullable AutomaticLimit automatic;
    private volatile int limit;

    /** What the limit was up to a minute ago, and when that was. */
    private int minuteAgo;

    private long minuteAgoAt;

    /**
     * Creates the limit; the stages start with {@link #initial}.
     *
     * @param stages runs without a lock when {@link #limit} has changed
     */
    public InvocationLimit(ListenerOptions options, Runnable stages, TimeSource time) {
        this.listener = options.id();
        this.stages = stages;
        this.time = time;
        this.limit = initial(options).concurrency();
        this.automatic = automatic(options);
    }

    /** Returns the options with the number of invocations at the start, a number in any case. */
    public static ListenerOptions initial(ListenerOptions options) {
        return isAutomatic(options)
                ? options.toBuilder()
                        .concurrency(AutomaticLimit.initial(options.concurrencyMax()))
                        .build()
                : options;
    }

    private static boolean isAutomatic(ListenerOptions options) {
        return options.concurrency() == ListenerOptions.AUTO_CONCURRENCY;
    }

    private @Nullable AutomaticLimit automatic(ListenerOptions options) {
        if (!isAutomatic(options)) {
            return null;
        }
        Instant now = time.now();
        long epochNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        minuteAgo = AutomaticLimit.initial(options.concurrencyMax());
        minuteAgoAt = time.nanos();
        return new AutomaticLimit(options.concurrencyMax(), epochNanos, minuteAgoAt);
    }

    /** Returns how many invocations there may be at once. */
    public int limit() {
        return limit;
    }

    /** Puts the concurrency of changed options into force; one that stays automatic goes on. */
    public void change(ListenerOptions options) {
        locked(() -> {
            if (automatic == null || !isAutomatic(options)) {
                automatic = automatic(options);
                limit = initial(options).concurrency();
            }
        });
    }

    /** Returns whether the number is automatic. */
    public boolean isAutomatic() {
        return automatic != null;
    }

    /**
     * A call of the handler has ended, which is an invocation of its own.
     *
     * @param messages how many messages ran in it
     * @param failed how many of them failed
     * @param overloads how many of those failed by an overload
     * @param running how many batches had a slot when its batch got one, with it
     * @param slotAt when its batch got its slot
     * @param startedAt the same, or when the call before it in its batch ended
     */
    void ended(int messages, int failed, int overloads, int running, long slotAt, long startedAt, long now) {
        if (isAutomatic()) {
            update(
                    current -> {
                        if (current.isInForceSince(slotAt)) {
                            current.ended(messages, failed, overloads, running, startedAt, now);
                        }
                    },
                    now);
        }
    }

    /** The executor refused a batch. */
    void refused() {
        long now = time.nanos();
        update(current -> current.refused(now), now);
    }

    /** Time has passed. Called every few seconds. */
    public void tick() {
        long now = time.nanos();
        update(current -> current.tick(now), now);
    }

    private void update(Consumer<AutomaticLimit> update, long now) {
        if (automatic == null) {
            return;
        }
        locked(() -> {
            AutomaticLimit current = automatic;
            if (current != null) {
                update.accept(current);
                limit = current.limit();
                logFall(current, now);
            }
        });
    }

    private void locked(Runnable change) {
        boolean changes = Locked.get(lock, () -> {
            int before = limit;
            change.run();
            return limit != before;
        });
        if (changes) {
            stages.run();
        }
    }

    private void logFall(AutomaticLimit current, long now) {
        boolean fell = 2 * limit < minuteAgo;
        if (fell) {
            log.info(
                    "Listener {}: the automatic concurrency fell from {} to {} within a minute: {}",
                    listener,
                    minuteAgo,
                    limit,
                    current.reason());
        }
        if (fell || now - minuteAgoAt >= MINUTE) {
            minuteAgo = limit;
            minuteAgoAt = now;
        }
    }
}
