/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.events.SenderEvent;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.SharedAsk;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.internal.support.UserInformation;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds queues, for sends and receives. Threads that wait for the same queue share its look-up.
 *
 * <p>A queue that was found stays found. A failure is the result for all who ask in the next {@link #INTERVAL}; then the queue is looked up
 * again: by who still waits, if the failure may pass, or else by the next message.
 */
final class QueueLookUps {

    /** The minimum time between the end of a look-up that failed and the next one of that queue. */
    static final Duration INTERVAL = Duration.ofSeconds(1);

    /** How long an unused failure is kept, for its log: a queue that fails for longer begins a new outage. */
    private static final Duration KEPT = Duration.ofMinutes(10);

    /** A queue that was found stays found. */
    private static final Duration FOUND = Duration.ofDays(10_000);

    private static final Logger log = LoggerFactory.getLogger(QueueLookUps.class);

    private final QueueResolver resolver;
    private final QueueEvents events;
    private final SenderOptions options;
    private final TimeSource time;
    private final ConcurrentMap<String, SharedAsk<Queue>> byReference = new ConcurrentHashMap<>();

    QueueLookUps(QueueResolver resolver, SenderOptions options, QueueEvents events, TimeSource time) {
        this.resolver = resolver;
        this.options = options;
        this.events = events;
        this.time = time;
    }

    /**
     * Returns the queue, and waits for it.
     *
     * @param patience how long to wait; no longer than the delivery timeout in any case
     * @throws RuntimeException the failure of a look-up that is not retried, or one that names the time that is over
     */
    Queue find(String reference, Patience patience) throws InterruptedException {
        SharedAsk<Queue> lookUp = lookUp(reference);
        long start = time.nanos();
        long longest = Math.min(patience.leftNanos(), options.deliveryTimeout().toNanos());
        RuntimeException last = null;
        int lookUps = 0;
        try {
            while (true) {
                try {
                    return lookUp.answer(left(longest, start));
                } catch (ExecutionException e) {
                    last = (RuntimeException) e.getCause();
                    lookUps++;
                }
                if (!(last instanceof BatchSqsException known && known.retryable())) {
                    throw last;
                }
                pause(Math.min(left(longest, start), Math.min(lookUp.leftNanos(), INTERVAL.toNanos())));
                if (left(longest, start) == 0) {
                    throw late(lookUps, last);
                }
            }
        } catch (TimeoutException e) {
            throw late(lookUps, last);
        } finally {
            patience.waited(time.nanos() - start);
        }
    }

    private static void pause(long nanos) throws InterruptedException {
        LockSupport.parkNanos(nanos);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private long left(long nanos, long since) {
        return Math.max(0, nanos - (time.nanos() - since));
    }

    private QueueCallException late(int lookUps, @Nullable RuntimeException last) {
        Duration maxBlock = options.buffer().maxBlock();
        boolean byMaxBlock = maxBlock.compareTo(options.deliveryTimeout()) < 0;
        return new QueueCallException(
                "GetQueueUrl",
                last == null ? SqsErrors.NO_RESPONSE : codeOf(last),
                "The queue was not found within "
                        + (byMaxBlock
                                ? "max-block (" + Check.text(maxBlock) + ", which all messages of a transaction share)"
                                : "delivery-timeout (" + Check.text(options.deliveryTimeout()) + ")")
                        + ", looked up " + lookUps + " times; "
                        + (last == null ? "no look-up got a response" : "the last failure: " + last.getMessage())
                        + ". Send again later" + (byMaxBlock ? ", or raise max-block" : ""),
                true,
                last);
    }

    private SharedAsk<Queue> lookUp(String reference) {
        SharedAsk<Queue> known = byReference.get(reference);
        if (known != null) {
            return known;
        }
        // An application with ever new names of missing queues does not fill the memory with them.
        byReference.values().removeIf(each -> each.isOverFor(KEPT));
        return byReference.computeIfAbsent(reference, key -> {
            String named = "'" + UserInformation.mask(key) + "'";
            OutageLog outage = new OutageLog(log, time, "Sender: looking up the queue " + named);
            return new SharedAsk<>("batchsqs-sender-lookup", () -> resolved(key, named, outage), FOUND, INTERVAL, time);
        });
    }

    private Queue resolved(String reference, String named, OutageLog outage) {
        long start = time.nanos();
        ForeignCode.Outcome<Queue> resolved = ForeignCode.call(() -> resolver.resolve(reference));
        Throwable failure = resolved.failure();
        events.of(reference)
                .on(new SenderEvent.ApiCall(
                        reference.startsWith("http") ? "GetQueueAttributes" : "GetQueueUrl",
                        1,
                        Duration.ofNanos(time.nanos() - start),
                        failure == null ? null : codeOf(failure)));
        if (failure == null) {
            outage.succeeded();
            return Objects.requireNonNull(resolved.value(), "The resolver returned null");
        }
        outage.failed(codeOf(failure), failure.getMessage(), "it is looked up again for further messages");
        throw failure instanceof RuntimeException known
                ? known
                : new BatchSqsException("The look-up of the queue " + named + " failed: " + failure, failure);
    }

    private static String codeOf(Throwable failed) {
        if (failed instanceof QueueCallException call) {
            return call.code();
        }
        return failed.getCause() instanceof QueueCallException call
                ? call.code()
                : failed.getClass().getSimpleName();
    }
}
