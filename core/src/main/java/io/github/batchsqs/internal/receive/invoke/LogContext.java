/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.RecurringLog;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.SafeThrowable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
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

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(BatchInvoker.class));
    private static final Before NOTHING = new Before(null, null, null);

    private final FailureReport report;
    private final RecurringLog failures;

    /** The values of the entries before an invocation. */
    record Before(
            @Nullable String listener,
            @Nullable String queue,
            @Nullable String batchSize) {}

    LogContext(FailureReport report) {
        this.report = report;
        this.failures = report.recurring("failures of the log's context (MDC)");
    }

    /** Sets the entries of an invocation; its end {@linkplain #restore restores} what is returned. */
    Before enter(int batchSize) {
        ForeignCode.Outcome<Before> outcome = ForeignCode.call(() -> {
            Before before = new Before(MDC.get(LISTENER), MDC.get(QUEUE), MDC.get(BATCH_SIZE));
            set(new Before(report.listener(), report.queue(), Integer.toString(batchSize)));
            return before;
        });
        report(outcome.failure());
        return Objects.requireNonNullElse(outcome.value(), NOTHING);
    }

    void restore(Before before) {
        report(ForeignCode.run(() -> set(before)));
    }

    private static void set(Before values) {
        set(LISTENER, values.listener());
        set(QUEUE, values.queue());
        set(BATCH_SIZE, values.batchSize());
    }

    private static void set(String key, @Nullable String value) {
        if (value == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, value);
        }
    }

    private void report(@Nullable Throwable failure) {
        if (failure == null) {
            return;
        }
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
