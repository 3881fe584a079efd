/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.events.SenderEvent;
import io.github.batchsqs.events.SenderEvents;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes single look-ups of queues, and records each in the meters and in the log. */
final class LookUpCalls {

    private static final Logger log = LoggerFactory.getLogger(QueueLookUps.class);

    private final QueueResolver resolver;
    private final QueueEvents events;
    private final TimeSource time;

    LookUpCalls(QueueResolver resolver, QueueEvents events, TimeSource time) {
        this.resolver = resolver;
        this.events = events;
        this.time = time;
    }

    /** The result of one look-up: the queue, or the failure. */
    record Result(@Nullable Queue queue, @Nullable RuntimeException failure) {

        /** Whether a later look-up may find the queue although nobody changes anything. */
        boolean retryable() {
            return failure instanceof BatchSqsException known && known.retryable();
        }
    }

    /** Returns the log of the look-ups of one queue. */
    OutageLog outageLog(String reference) {
        return new OutageLog(log, time, "Sender: looking up the queue '" + reference + "'");
    }

    /** Looks the queue up on the calling thread. Throws nothing: a failure is a result. */
    Result make(String reference, OutageLog outage) {
        long start = time.nanos();
        Result result = resolve(reference);
        record(reference, result, Duration.ofNanos(time.nanos() - start), outage);
        return result;
    }

    private Result resolve(String reference) {
        try {
            return new Result(resolver.resolve(reference), null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed("The look-up of the queue '" + reference + "' was interrupted", e);
        } catch (RuntimeException e) {
            return new Result(null, e);
        } catch (Throwable e) {
            return failed("The look-up of the queue '" + reference + "' failed: " + e, e);
        }
    }

    private static Result failed(String message, Throwable cause) {
        return new Result(null, new BatchSqsException(message, cause));
    }

    private void record(String reference, Result result, Duration took, OutageLog outage) {
        try {
            RuntimeException failure = result.failure();
            String code = failure == null ? null : codeOf(failure);
            String operation = reference.startsWith("http") ? "GetQueueAttributes" : "GetQueueUrl";
            eventsOf(reference, result.queue()).on(new SenderEvent.ApiCall(operation, 1, took, code));
            if (failure == null || code == null) {
                outage.succeeded();
            } else {
                outage.failed(
                        code,
                        failure.getMessage(),
                        result.retryable()
                                ? "it is tried again until delivery-timeout"
                                : "messages to it fail, and the next one looks it up again");
            }
        } catch (Throwable e) {
            log.error("Recording the look-up of the queue '{}' failed", reference, e);
        }
    }

    private SenderEvents eventsOf(String reference, @Nullable Queue queue) {
        return queue == null ? events.notFound(QueueLookUps.nameOf(reference)) : events.found(queue.name());
    }

    private static String codeOf(RuntimeException failed) {
        if (failed instanceof QueueCallException call) {
            return call.code();
        }
        return failed.getCause() instanceof QueueCallException call
                ? call.code()
                : failed.getClass().getSimpleName();
    }
}
