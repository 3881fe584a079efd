/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.listener.ErrorHook;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Reports failed messages to the events and to the user's error hook, whose own failures end here. */
record FailureReport(
        String listener, String queue, ListenerEvents events, ErrorHook errorHook, OncePerMinute hookFailures) {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(BatchInvoker.class));

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
