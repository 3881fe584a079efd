/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Reports failed messages to the events and to the user's error hook, whose own failures end here. */
final class FailureReport {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(BatchInvoker.class));

    private final String listener;
    private final String queue;
    private final ListenerEvents events;
    private final ErrorHook errorHook;
    private final OncePerMinute hookFailures;

    FailureReport(String listener, String queue, ListenerEvents events, ErrorHook errorHook, TimeSource time) {
        this.listener = listener;
        this.queue = queue;
        this.events = events;
        this.errorHook = errorHook;
        this.hookFailures = new OncePerMinute(time);
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

    /** Reports that a message failed; does nothing if the handler gave no cause. */
    void failed(Delivery delivery, @Nullable Throwable cause) {
        if (cause == null) {
            return;
        }
        events.on(new ListenerEvent.Failed(delivery.message().id(), cause));
        Throwable failure = ForeignCode.run(() -> errorHook.failed(queue, delivery.message(), cause));
        String more = failure == null ? null : hookFailures.record(1);
        if (more != null) {
            log.error("Listener {}: the error hook failed, which has no effect{}", listener, more, failure);
        }
    }
}
