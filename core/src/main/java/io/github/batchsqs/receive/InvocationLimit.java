/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.invoke.HandlerTimes;
import io.github.batchsqs.support.EngineStage;
import io.github.batchsqs.support.RecurringLog;
import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.support.SafeThrowable;
import io.github.batchsqs.time.TimeSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many invocations of a run there may be at once: the number of the options, or that of a {@link GradientLimit}, which
 * gets the latency of each call of the handler. The stages follow a change at once; none is logged.
 *
 * <p>A fixed number costs one volatile read for each call of the handler. Safe for use by any thread.
 */
final class InvocationLimit implements HandlerTimes {

    private static final Logger slf4j = LoggerFactory.getLogger(ListenerContainer.class);
    private static final SafeLog log = new SafeLog(slf4j);

    private static final long NOT_MEASURED = Long.MIN_VALUE;

    private final String listener;
    private final String startText;
    private final Overloads overloads;
    private final IntConsumer stages;
    private final ListenerEvents events;
    private final TimeSource time;
    private final RecurringLog failures;

    /** Held while the stages change, so that they end with the last number; no thread gets here with a lock of theirs. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable GradientLimit automatic;
    private volatile int limit;
    private boolean over;

    /**
     * Creates the limit; the stages start with {@link #initial}.
     *
     * @param stages changes the number in the stages
     */
    InvocationLimit(ListenerOptions options, IntConsumer stages, ListenerEvents events, TimeSource time) {
        this.listener = options.id();
        this.startText = initial(options).concurrency()
                + (isAutomatic(options)
                        ? " at once at first, then 1 to " + options.concurrencyMax() + " automatically"
                        : " at once");
        this.overloads = new Overloads(options.overloadExceptions());
        this.stages = stages;
        this.events = events;
        this.time = time;
        this.failures = new RecurringLog(
                slf4j, time, "Listener " + listener + ": failures of the automatic concurrency to follow its handler");
        this.limit = initial(options).concurrency();
        this.automatic = automatic(options);
    }

    /** Returns the options with the number of invocations at the start, a number in any case. */
    static ListenerOptions initial(ListenerOptions options) {
        return with(options, GradientLimit.initial(options.concurrencyMax()));
    }

    /** Returns the options with the maximum number of invocations, a number in any case. */
    static ListenerOptions atMost(ListenerOptions options) {
        return with(options, options.concurrencyMax());
    }

    private static ListenerOptions with(ListenerOptions options, int concurrencyIfAutomatic) {
        return isAutomatic(options)
                ? options.toBuilder().concurrency(concurrencyIfAutomatic).build()
                : options;
    }

    private static boolean isAutomatic(ListenerOptions options) {
        return options.concurrency() == ListenerOptions.AUTO_CONCURRENCY;
    }

    private @Nullable GradientLimit automatic(ListenerOptions options) {
        return isAutomatic(options) ? new GradientLimit(options.concurrencyMax(), time.nanos()) : null;
    }

    /** Returns the number of the start, in words. */
    String startText() {
        return startText;
    }

    /** Returns how many invocations there may be at once. */
    int limit() {
        return limit;
    }

    /** Puts the concurrency of changed options into force; one that stays automatic goes on. */
    void change(ListenerOptions options) {
        lock.lock();
        try {
            if (!over && (automatic == null || !isAutomatic(options))) {
                automatic = automatic(options);
                apply(initial(options).concurrency());
            }
        } finally {
            lock.unlock();
        }
    }

    /** From now on, the number stays as it is. */
    void end() {
        lock.lock();
        try {
            over = true;
            automatic = null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long started() {
        try {
            return automatic == null ? NOT_MEASURED : time.nanos();
        } catch (Throwable e) { // whatever it is, the handler runs
            return NOT_MEASURED;
        }
    }

    @Override
    public void ended(int messages, long startedAt, @Nullable Throwable failure) {
        if (startedAt == NOT_MEASURED || messages == 0) {
            return;
        }
        update(current -> {
            long now = time.nanos();
            if (failure != null && isOverload(failure)) {
                current.overloaded(startedAt, now);
            }
            current.ended(messages, startedAt, now, failure != null && !(failure instanceof PartialBatchException));
        });
    }

    private boolean isOverload(Throwable failure) {
        return overloads.shows(failure)
                || (failure instanceof PartialBatchException partial
                        && partial.failedIds().values().stream().anyMatch(overloads::shows));
    }

    @Override
    public void returned(MessageBatch<?> batch, long startedAt, BatchOutcome outcome) {
        if (startedAt == NOT_MEASURED || outcome.named().isEmpty()) {
            return;
        }
        update(current -> {
            if (hasOverload(batch, outcome)) {
                current.overloaded(startedAt, time.nanos());
            }
        });
    }

    private boolean hasOverload(MessageBatch<?> batch, BatchOutcome outcome) {
        for (SqsMessage<?> message : batch.messages()) {
            Throwable cause = switch (outcome.of(message)) {
                case BatchOutcome.Retry retry -> retry.cause();
                case BatchOutcome.DeadLetter deadLetter -> deadLetter.cause();
                case null, default -> null;
            };
            if (cause != null && overloads.shows(cause)) {
                return true;
            }
        }
        return false;
    }

    /** The executor refused a batch. */
    void refused() {
        if (automatic != null) {
            update(current -> current.refused(time.nanos()));
        }
    }

    /** Time has passed, and so many invocations run. Called every few seconds. */
    void tick(int running) {
        if (automatic != null) {
            update(current -> current.tick(running, time.nanos()));
        }
    }

    void logDue() {
        failures.logDue();
    }

    void logRest() {
        failures.logRest();
    }

    /** What is thrown meanwhile concerns no message. */
    private void update(Update update) {
        try {
            lock.lock();
            try {
                GradientLimit current = automatic;
                if (current != null) {
                    update.of(current);
                    apply(current.limit());
                }
            } finally {
                lock.unlock();
            }
        } catch (Throwable e) {
            events.unexpected(EngineStage.INVOKE.text(), e);
            if (failures.record(1, SafeThrowable.text(e))) {
                log.error(
                        "Listener {}: the automatic concurrency failed to follow its handler, and tries again; more are"
                                + " counted once a minute",
                        listener,
                        e);
            }
        }
    }

    private void apply(int newLimit) {
        if (newLimit != limit) {
            stages.accept(newLimit);
            limit = newLimit;
        }
    }

    /** An update of the automatic limit. */
    @FunctionalInterface
    private interface Update {
        void of(GradientLimit current);
    }
}
