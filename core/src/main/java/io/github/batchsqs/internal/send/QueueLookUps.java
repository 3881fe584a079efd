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
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.internal.support.UserInformation;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds queues, for sends and receives. Threads that wait for the same queue share its look-up, which runs on a thread of its own, also
 * when nobody waits for it any longer.
 *
 * <p>A queue that was found stays found. A failure is the result for all who ask in the next {@link #INTERVAL}; then the queue is looked up
 * again: by who still waits, if the failure may pass, or else by the next message.
 */
final class QueueLookUps {

    /** The minimum time between the end of a look-up that failed and the next one of that queue. */
    static final Duration INTERVAL = Duration.ofSeconds(1);

    /** How long an unused failure is kept, for its log: a queue that fails for longer begins a new outage. */
    private static final Duration KEPT = Duration.ofMinutes(10);

    private static final Logger log = LoggerFactory.getLogger(QueueLookUps.class);

    private final QueueResolver resolver;
    private final QueueEvents events;
    private final SenderOptions options;
    private final TimeSource time;
    private final ConcurrentMap<String, LookUp> byReference = new ConcurrentHashMap<>();

    private final CountDownLatch closed = new CountDownLatch(1);

    QueueLookUps(QueueResolver resolver, SenderOptions options, QueueEvents events, TimeSource time) {
        this.resolver = resolver;
        this.options = options;
        this.events = events;
        this.time = time;
    }

    /** A look-up of a queue, as messages refer to it. */
    private final class LookUp {

        final CompletableFuture<Queue> result = new CompletableFuture<>();
        final OutageLog outage;
        volatile long failedAt;

        LookUp(OutageLog outage) {
            this.outage = outage;
        }

        boolean failedBefore(Duration age) {
            return result.isCompletedExceptionally() && time.nanos() - failedAt >= age.toNanos();
        }
    }

    /**
     * Returns the queue, and waits for it; {@code null} if the look-ups were closed meanwhile.
     *
     * @param patience how long to wait; no longer than the delivery timeout in any case
     * @throws RuntimeException the failure of a look-up that is not retried, or one that names the time that is over
     */
    @Nullable
    Queue find(String reference, Patience patience) throws InterruptedException {
        long start = time.nanos();
        long longest = Math.min(patience.leftNanos(), options.deliveryTimeout().toNanos());
        RuntimeException last = null;
        int lookUps = 0;
        try {
            while (true) {
                LookUp lookUp = current(reference);
                try {
                    return lookUp.result.get(left(longest, start), TimeUnit.NANOSECONDS);
                } catch (ExecutionException e) {
                    last = (RuntimeException) e.getCause();
                    lookUps++;
                }
                if (!(last instanceof BatchSqsException known && known.retryable())) {
                    throw last;
                }
                long pause = Math.min(left(longest, start), left(INTERVAL.toNanos(), lookUp.failedAt));
                if (closed.await(pause, TimeUnit.NANOSECONDS)) {
                    return null;
                }
                if (left(longest, start) == 0) {
                    throw late(lookUps, last);
                }
            }
        } catch (CancellationException e) {
            return null;
        } catch (TimeoutException e) {
            throw late(lookUps, last);
        } finally {
            patience.waited(time.nanos() - start);
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

    /** Returns the look-up of a queue; a new one if there is none, or if it has failed long enough ago. */
    private LookUp current(String reference) {
        LookUp known = byReference.get(reference);
        if (known == null) { // an application with ever new names of missing queues does not fill the memory with them
            byReference.values().removeIf(each -> each.failedBefore(KEPT));
        } else if (!known.failedBefore(INTERVAL)) {
            return known;
        }
        return byReference.compute(reference, (key, last) -> {
            if (last != null && !last.failedBefore(INTERVAL)) {
                return last;
            }
            LookUp next = new LookUp(
                    last != null
                            ? last.outage
                            : new OutageLog(
                                    log,
                                    time,
                                    "Sender: looking up the queue '" + UserInformation.mask(reference) + "'"));
            SenderThreads.lookUp(() -> run(reference, next));
            if (closed.getCount() == 0) {
                next.result.cancel(false);
            }
            return next;
        });
    }

    private void run(String reference, LookUp lookUp) {
        long start = time.nanos();
        ForeignCode.Outcome<Queue> resolved = ForeignCode.call(() -> resolver.resolve(reference));
        Queue queue = resolved.value();
        Throwable failure = resolved.failure();
        lookUp.failedAt = time.nanos();
        events.of(reference)
                .on(new SenderEvent.ApiCall(
                        reference.startsWith("http") ? "GetQueueAttributes" : "GetQueueUrl",
                        1,
                        Duration.ofNanos(lookUp.failedAt - start),
                        failure == null ? null : codeOf(failure)));
        if (failure == null) {
            lookUp.outage.succeeded();
            lookUp.result.complete(queue);
        } else {
            lookUp.outage.failed(codeOf(failure), failure.getMessage(), "it is looked up again for further messages");
            lookUp.result.completeExceptionally(
                    failure instanceof RuntimeException known
                            ? known
                            : new BatchSqsException(
                                    "The look-up of the queue '" + UserInformation.mask(reference) + "' failed: "
                                            + failure,
                                    failure));
        }
    }

    private static String codeOf(Throwable failed) {
        if (failed instanceof QueueCallException call) {
            return call.code();
        }
        return failed.getCause() instanceof QueueCallException call
                ? call.code()
                : failed.getClass().getSimpleName();
    }

    /** Ends all waits. */
    void close() {
        closed.countDown();
        byReference.values().forEach(each -> each.result.cancel(false));
    }
}
