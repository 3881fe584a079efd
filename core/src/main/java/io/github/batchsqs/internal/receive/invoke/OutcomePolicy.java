/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.listener.ListenerOptions;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Decides the settlement of each message from the result of the handler and the acknowledge mode. It reports each failure and
 * records it in its delivery.
 */
record OutcomePolicy(ListenerOptions.AcknowledgeMode mode, FailurePolicy policy, FailureReport report) {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(BatchInvoker.class));
    private static final Settlement DELETE = new Settlement.Delete();
    private static final Settlement MANUAL = new Settlement.Manual();

    /** Sets the settlement of each of the messages that the handler was called with. */
    <T> void decide(List<ConvertedMessage<T>> messages, HandlerResult result, BatchRun run, long now) {
        IdentityHashMap<ConvertedMessage<T>, Throwable> failed = result.failedAmong(messages);
        if (!failed.isEmpty()) {
            log.warn(
                    "Listener {}: {} of {} messages of a batch of {} failed",
                    report.listener(),
                    failed.size(),
                    messages.size(),
                    report.queue(),
                    result.failure());
        }
        boolean named = messages.size() == 1 || failed.size() < messages.size();
        for (ConvertedMessage<T> message : messages) {
            Throwable cause = failed.get(message);
            run.decide(
                    message.place(),
                    cause != null
                            ? failed(message.delivery(), cause, named, now)
                            : notFailed(message, result.outcome(), messages.size() == 1, now));
        }
    }

    /** @param named whether this message failed for sure: it ran alone, or the handler named it */
    private Settlement failed(Delivery delivery, Throwable given, boolean named, long now) {
        Throwable cause = ForeignCode.readable(given);
        report.failed(delivery, cause);
        delivery.failed(new Delivery.Failure(cause, named));
        return mode == ListenerOptions.AcknowledgeMode.ALWAYS ? DELETE : policy.failed(delivery, cause, now);
    }

    /** The message is not among those that failed. Without an outcome a partial failure left it out. */
    private Settlement notFailed(ConvertedMessage<?> message, @Nullable BatchOutcome outcome, boolean alone, long now) {
        return switch (mode) {
            case MANUAL -> MANUAL;
            case ALWAYS -> DELETE;
            case ON_SUCCESS ->
                outcome == null
                        ? DELETE
                        : byOutcome(
                                message.delivery(),
                                outcome.of(message),
                                alone || outcome.named().contains(message.id()),
                                now);
        };
    }

    private Settlement byOutcome(Delivery delivery, BatchOutcome.@Nullable Outcome outcome, boolean named, long now) {
        return switch (outcome) {
            case null -> failed(delivery, notMentioned(delivery), named, now);
            case BatchOutcome.Done done -> DELETE;
            case BatchOutcome.Leave leave -> new Settlement.Untrack();
            case BatchOutcome.DeadLetter dead -> {
                Throwable cause = readable(dead.cause());
                report.failed(delivery, cause);
                yield policy.deadLetter(delivery, cause);
            }
            case BatchOutcome.Retry retry
            when retry.cause() instanceof NotRunException notRun -> {
                delivery.failed(null);
                yield new Settlement.Release(notRun.after(), true);
            }
            case BatchOutcome.Retry retry -> {
                Throwable cause = readable(retry.cause());
                report.failed(delivery, cause);
                delivery.failed(new Delivery.Failure(cause, named));
                yield retry.after() == null ? policy.retry(delivery, now) : new Settlement.Release(retry.after(), true);
            }
        };
    }

    private static @Nullable Throwable readable(@Nullable Throwable cause) {
        return cause == null ? null : ForeignCode.readable(cause);
    }

    private static BatchSqsException notMentioned(Delivery delivery) {
        return new BatchSqsException("The handler's outcome does not mention message "
                + delivery.message().id()
                + "; name every message, or call othersDone() or othersRetry()");
    }
}
