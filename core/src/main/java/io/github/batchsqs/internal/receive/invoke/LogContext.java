/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.RecurringLog;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.SafeThrowable;
import io.github.batchsqs.time.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Puts the invocation that runs on the thread into the log's context (MDC), and restores what was there. The batch size
 * counts messages that turn out not to be convertible as well. A logging framework that throws leaves the context incomplete
 * and disturbs nothing else: its failures are counted, and the first is logged. Safe for use by any thread.
 */
final class LogContext {

    static final String LISTENER = "batchsqs.listener";
    static final String QUEUE = "batchsqs.queue";
    static final String BATCH_SIZE = "batchsqs.batch.size";

    /** The context of the logging framework. */
    static final Entries MDC_ENTRIES = new Entries() {
        @Override
        public @Nullable String get(String key) {
            return MDC.get(key);
        }

        @Override
        public void set(String key, @Nullable String value) {
            if (value == null) {
                MDC.remove(key);
            } else {
                MDC.put(key, value);
            }
        }
    };

    private static final Logger slf4j = LoggerFactory.getLogger(BatchInvoker.class);
    private static final SafeLog log = new SafeLog(slf4j);

    private final FailureReport report;
    private final Entries entries;
    private final RecurringLog failures;

    /** The entries of the calling thread. */
    interface Entries {

        @Nullable
        String get(String key);

        /** Sets the entry, or removes it if the value is {@code null}. */
        void set(String key, @Nullable String value);
    }

    /** The entries that were there before an invocation. */
    record Before(
            @Nullable String listener,
            @Nullable String queue,
            @Nullable String batchSize) {}

    LogContext(FailureReport report, Entries entries, TimeSource time) {
        this.report = report;
        this.entries = entries;
        this.failures = new RecurringLog(
                slf4j, time, "Listener " + report.listener() + ": failures of the log's context (MDC)");
    }

    void logDue() {
        failures.logDue();
    }

    void logRest() {
        failures.logRest();
    }

    /** Sets the entries of an invocation; its end {@linkplain #restore restores} what is returned. */
    Before enter(int batchSize) {
        return new Before(
                replace(LISTENER, report.listener()),
                replace(QUEUE, report.queue()),
                replace(BATCH_SIZE, Integer.toString(batchSize)));
    }

    void restore(Before before) {
        set(LISTENER, before.listener());
        set(QUEUE, before.queue());
        set(BATCH_SIZE, before.batchSize());
    }

    private @Nullable String replace(String key, String value) {
        ForeignCode.Outcome<String> before = ForeignCode.call(() -> entries.get(key));
        if (before.failure() != null) {
            threw(before.failure());
        }
        set(key, value);
        return before.value();
    }

    private void set(String key, @Nullable String value) {
        Throwable failure = ForeignCode.run(() -> entries.set(key, value));
        if (failure != null) {
            threw(failure);
        }
    }

    private void threw(Throwable failure) {
        report.events().on(new ListenerEvent.Unexpected(EngineStage.INVOKE.text(), failure));
        if (failures.record(1, SafeThrowable.text(failure))) {
            log.warn(
                    "Listener {}: the log's context (MDC) cannot be changed, which has no effect on messages; more are"
                            + " counted once a minute",
                    report.listener(),
                    failure);
        }
    }
}
