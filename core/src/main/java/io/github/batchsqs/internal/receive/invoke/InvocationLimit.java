/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Locked;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ObjLongConsumer;
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

    private final Runnable stages;
    private final TimeSource time;

    private final ReentrantLock lock = new EngineLock();

    private volatile @Nullable AutomaticLimit automatic;
    private volatile int limit;

    /**
     * Creates the limit; the stages start with its number.
     *
     * @param stages runs without a lock when {@link #limit} has changed
     */
    public InvocationLimit(ListenerOptions options, Runnable stages, TimeSource time) {
        this.stages = stages;
        this.time = time;
        begin(options);
    }

    private void begin(ListenerOptions options) {
        long epochNanos = TimeUnit.MILLISECONDS.toNanos(time.now().toEpochMilli());
        automatic = options.concurrency() == ListenerOptions.AUTO_CONCURRENCY
                ? new AutomaticLimit(
                        options.concurrencyMax(),
                        epochNanos,
                        time.nanos(),
                        fall -> log.info("Listener {}: the automatic concurrency fell {}", options.id(), fall))
                : null;
        limit = automatic == null ? options.concurrency() : automatic.limit();
    }

    /** Returns how many invocations there may be at once. */
    public int limit() {
        return limit;
    }

    /** Puts the concurrency of changed options into force; one that stays automatic goes on. */
    public void change(ListenerOptions options) {
        locked(() -> {
            if (automatic == null || options.concurrency() != ListenerOptions.AUTO_CONCURRENCY) {
                begin(options);
            }
        });
    }

    /** Returns whether the number is automatic. */
    public boolean isAutomatic() {
        return automatic != null;
    }

    /**
     * The calls of the handler with a batch have ended.
     *
     * @param messages how many messages ran in them
     * @param failed how many of them failed
     * @param overloads how many of those failed by an overload
     * @param running how many batches had a slot when this one began, with it
     * @param slotAt when it got its slot
     */
    void ended(int messages, int failed, int overloads, int running, long slotAt) {
        if (isAutomatic()) {
            update((current, now) -> current.ended(messages, failed, overloads, running, slotAt, now));
        }
    }

    /** The executor refused a batch. */
    void refused() {
        update(AutomaticLimit::refused);
    }

    /** Time has passed. Called every few seconds. */
    public void tick() {
        update(AutomaticLimit::tick);
    }

    private void update(ObjLongConsumer<AutomaticLimit> update) {
        locked(() -> {
            AutomaticLimit current = automatic;
            if (current != null) {
                update.accept(current, time.nanos());
                limit = current.limit();
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
}
