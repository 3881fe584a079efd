/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.RecurringLog;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.SafeThrowable;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports failed messages to the events and to the user's error hook, whose own failures end here. */
final class FailureReport {

    private static final Logger slf4j = LoggerFactory.getLogger(BatchInvoker.class);
    private static final SafeLog log = new SafeLog(slf4j);

    private final String listener;
    private final String queue;
    private final ListenerEvents events;
    private final ErrorHook errorHook;
    private final TimeSource time;
    private final List<RecurringLog> recurring = new ArrayList<>();
    private final RecurringLog hookFailures;

    FailureReport(String listener, String queue, ListenerEvents events, ErrorHook errorHook, TimeSource time) {
        this.listener = listener;
        this.queue = queue;
        this.events = events;
        this.errorHook = errorHook;
        this.time = time;
        this.hookFailures = recurring("failures of the error hook");
    }

    /** Makes the log of one kind of failure of this stage, which this class writes when it is due; called by constructors. */
    RecurringLog recurring(String failures) {
        RecurringLog made = new RecurringLog(slf4j, time, "Listener " + listener + ": " + failures);
        recurring.add(made);
        return made;
    }

    String listener() {
        return listener;
    }

    String queue() {
        return queue;
    }

    ListenerEvents events() {
        return events;
    }

    void logDue() {
        recurring.forEach(RecurringLog::logDue);
    }

    void logRest() {
        recurring.forEach(RecurringLog::logRest);
    }

    /** Reports that a message failed; does nothing if the handler gave no cause. */
    void failed(Delivery delivery, @Nullable Throwable cause) {
        if (cause == null) {
            return;
        }
        events.on(new ListenerEvent.Failed(delivery.message().id(), cause));
        Throwable failure = ForeignCode.run(() -> errorHook.failed(queue, delivery.message(), cause));
        if (failure != null && hookFailures.record(1, SafeThrowable.text(failure))) {
            log.error(
                    "Listener {}: the error hook failed, which has no effect; more are counted once a minute",
                    listener,
                    failure);
        }
    }
}
