/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.support.Causes;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Decides the settlement of each message from the result of the handler and the acknowledge mode. It reports each failure to the events
 * and to the user's error hook, whose own failures end here, and records it in its delivery. Exceptions that are not retryable, also as a
 * cause, have no next try.
 */
record OutcomePolicy(ListenerQueue source, ErrorHook errorHook, OncePerMinute hookFailures) {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(BatchInvoker.class));
    private static final Settlement DELETE = new Settlement.Delete();
    private static final Settlement MANUAL = new Settlement.Manual();

    /** Sets the settlement of each of the messages that the handler was called with. */
    <T> void decide(
            List<ConvertedMessage<T>> messages, @Nullable BatchOutcome outcome, @Nullable Throwable failure, long now) {
        Map<String, Throwable> named = named(messages, failure);
        int failed = failure == null ? 0 : named.isEmpty() ? messages.size() : named.size();
        if (failed > 0) {
            boolean foreign = failure instanceof PartialBatchException && named.isEmpty();
            log.warn(
                    "Listener {}: {} of {} messages of a batch of {} failed{}",
                    source.listener(),
                    failed,
                    messages.size(),
                    source.name(),
                    foreign ? ", because the exception names a message that is not in the batch" : "",
                    failure);
        }
        boolean forSure = messages.size() == 1 || failed < messages.size();
        boolean applies = source.options().acknowledge().mode() == ListenerOptions.AcknowledgeMode.ON_SUCCESS;
        int omitted = 0;
        for (ConvertedMessage<T> message : messages) {
            Delivery delivery = message.delivery();
            Throwable cause = named.isEmpty() ? failure : named.get(message.id());
            if (cause != null) {
                delivery.decide(failedInHandler(delivery, cause, forSure, now));
            } else if (!applies || outcome == null) {
                delivery.decide(notFailed());
            } else {
                BatchOutcome.Outcome own = outcome.of(message);
                boolean ofItsOwn = messages.size() == 1 || outcome.named().contains(message.id());
                delivery.decide(byOutcome(delivery, own, ofItsOwn, now));
                omitted += own == null ? 1 : 0;
            }
        }
        if (omitted > 0) {
            log.warn(
                    "Listener {}: {} of {} messages of a batch of {} failed, because the handler's outcome does not mention"
                            + " them; name every message, or call othersDone() or othersRetry()",
                    source.listener(),
                    omitted,
                    messages.size(),
                    source.name());
        }
    }

    /** Returns the causes by the ids that the failure names; empty if it names none, or one that is not in the batch. */
    private static <T> Map<String, Throwable> named(List<ConvertedMessage<T>> messages, @Nullable Throwable failure) {
        if (!(failure instanceof PartialBatchException partial)) {
            return Map.of();
        }
        Set<String> ids = new HashSet<>();
        messages.forEach(message -> ids.add(message.id()));
        return ids.containsAll(partial.failedIds().keySet()) ? partial.failedIds() : Map.of();
    }

    private Settlement failedInHandler(Delivery delivery, Throwable cause, boolean named, long now) {
        Settlement settlement = failed(delivery, cause, named, now);
        return source.options().acknowledge().mode() == ListenerOptions.AcknowledgeMode.ALWAYS ? DELETE : settlement;
    }

    /**
     * Returns the settlement of a message that failed for the cause, whatever the acknowledge mode is.
     *
     * @param named whether this message failed for sure: it ran alone, or the handler named it
     */
    Settlement failed(Delivery delivery, Throwable cause, boolean named, long now) {
        Throwable readable = Objects.requireNonNull(recorded(delivery, cause, named));
        return Causes.isAny(readable, source.options().failure().nonRetryable())
                ? new Settlement.DeadLetter(readable, delay(delivery))
                : retry(delivery, now);
    }

    /** Returns the settlement of a message that is never to be tried again. */
    Settlement deadLetter(Delivery delivery, @Nullable Throwable cause) {
        return new Settlement.DeadLetter(recorded(delivery, cause, false), delay(delivery));
    }

    /** Returns a retry after the backoff, or at the time that the handler chose for the message by its visibility. */
    Settlement.Release retry(Delivery delivery, long now) {
        Long visibleFrom = delivery.visibleFrom();
        return visibleFrom == null
                ? new Settlement.Release(delay(delivery))
                : new Settlement.Release(Duration.ofNanos(Math.max(0, visibleFrom - now)), true);
    }

    private Duration delay(Delivery delivery) {
        return source.options().failure().backoff().delay(delivery.attempts(), source.random());
    }

    /** Records a failure, and reports it unless the handler gave no cause; returns the cause as it may be read. */
    private @Nullable Throwable recorded(Delivery delivery, @Nullable Throwable given, boolean named) {
        Throwable cause = given == null ? null : ForeignCode.readable(given);
        delivery.failed(new Delivery.Failure(cause, named));
        if (cause == null) {
            return null;
        }
        source.events().on(new ListenerEvent.Failed(delivery.message().id(), cause));
        Throwable failure = ForeignCode.run(() -> errorHook.failed(source.name(), delivery.message(), cause));
        String more = failure == null ? null : hookFailures.record(1);
        if (more != null) {
            log.error("Listener {}: the error hook failed, which has no effect{}", source.listener(), more, failure);
        }
        return cause;
    }

    /** The handler returned, or a partial failure left the message out. */
    private Settlement notFailed() {
        return source.options().acknowledge().mode() == ListenerOptions.AcknowledgeMode.MANUAL ? MANUAL : DELETE;
    }

    private Settlement byOutcome(Delivery delivery, BatchOutcome.@Nullable Outcome outcome, boolean named, long now) {
        return switch (outcome) {
            case null -> failed(delivery, notMentioned(delivery), named, now);
            case BatchOutcome.Done done -> DELETE;
            case BatchOutcome.Leave leave -> new Settlement.Untrack();
            case BatchOutcome.DeadLetter dead -> deadLetter(delivery, dead.cause());
            case BatchOutcome.Retry retry
            when retry.cause() instanceof NotRunException notRun -> new Settlement.Release(notRun.after(), true);
            case BatchOutcome.Retry retry -> {
                var ignored = recorded(delivery, retry.cause(), named);
                yield retry.after() == null ? retry(delivery, now) : new Settlement.Release(retry.after(), true);
            }
        };
    }

    private static BatchSqsException notMentioned(Delivery delivery) {
        return new BatchSqsException("The handler's outcome does not mention message "
                + delivery.message().id()
                + "; name every message, or call othersDone() or othersRetry()");
    }
}
