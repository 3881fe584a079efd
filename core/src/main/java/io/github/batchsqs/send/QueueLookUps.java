/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.events.SenderEvent;
import io.github.batchsqs.events.SenderEvents;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.QueueIdentity;
import io.github.batchsqs.internal.support.SafeThrowable;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the queues of messages. Threads that wait for the same queue share its look-ups, which run on a thread of their own.
 *
 * <ul>
 *   <li>A queue that was found stays found until it is {@linkplain #remove removed}.
 *   <li>A failure that may pass is retried with backoff, also while nobody waits, until the delivery timeout of the last
 *       message that needed the queue.
 *   <li>Any other failure, such as a queue that does not exist, is the result for all messages of the next
 *       {@link #FAILURE_REMEMBERED}; then the next message looks the queue up again.
 * </ul>
 */
final class QueueLookUps {

    /** How long a failure that is not retried is the result for further messages. */
    static final Duration FAILURE_REMEMBERED = Duration.ofSeconds(1);

    /** How long an unused failure is kept, for its log: a queue that fails for longer begins a new outage. */
    private static final Duration KEPT = Duration.ofMinutes(10);

    private static final Logger log = LoggerFactory.getLogger(QueueLookUps.class);

    private final QueueResolver resolver;
    private final QueueEvents events;
    private final SenderOptions options;
    private final Backoff retry;
    private final TimeSource time;
    private final Executor threads;
    private final ConcurrentMap<String, LookUp> byReference = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private volatile long lastRemoval;

    QueueLookUps(QueueResolver resolver, SenderOptions options, QueueEvents events, TimeSource time, Executor threads) {
        this(resolver, options, events, time, threads, QueueSender.RETRY);
    }

    /** @param retry the delay before another look-up */
    QueueLookUps(
            QueueResolver resolver,
            SenderOptions options,
            QueueEvents events,
            TimeSource time,
            Executor threads,
            Backoff retry) {
        this.retry = retry;
        this.resolver = resolver;
        this.events = events;
        this.options = options;
        this.time = time;
        this.threads = threads;
        this.lastRemoval = time.nanos();
    }

    /** Returns the name of a queue that is not found yet: the last part of its URL or ARN. */
    static String nameOf(String reference) {
        String name = reference.replaceFirst("/+$", "");
        return name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
    }

    /**
     * Returns the queue, and waits for it; {@code null} if the look-ups were closed meanwhile.
     *
     * @param maxBlock how long to wait; no longer than the delivery timeout in any case
     * @throws RuntimeException the failure of a look-up that is not retried, or one that names the time that is over
     */
    @Nullable
    Queue find(String reference, Duration maxBlock) throws InterruptedException {
        LookUp lookUp = byReference.get(reference);
        if (lookUp == null) {
            removeUnused();
            lookUp = byReference.computeIfAbsent(reference, LookUp::new);
        }
        return lookUp.await(maxBlock);
    }

    /** Removes the result for a queue, so that its next message looks it up again. */
    void remove(String identity) {
        byReference.values().removeIf(each -> {
            Queue found = each.found;
            return found != null && QueueIdentity.of(found.url()).equals(identity);
        });
    }

    /** Ends all waits and all retries. */
    void close() {
        closed = true;
        byReference.values().forEach(LookUp::wake);
    }

    /** An application with ever new names of missing queues does not fill the memory with them. */
    private void removeUnused() {
        long now = time.nanos();
        if (now - lastRemoval >= KEPT.toNanos()) {
            lastRemoval = now;
            byReference.values().removeIf(each -> each.unusedFor(KEPT, now));
        }
    }

    private static String codeOf(RuntimeException failed) {
        if (failed instanceof QueueCallException call) {
            return call.code();
        }
        return failed.getCause() instanceof QueueCallException call
                ? call.code()
                : failed.getClass().getSimpleName();
    }

    /** The look-ups of one queue, as messages refer to it. */
    private final class LookUp {

        private final String reference;
        private final OutageLog outage;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private volatile @Nullable Queue found;

        private boolean underWay;
        /** The time at which the last message that needs the queue fails. */
        private long neededUntil;
        /** How many look-ups have ended. */
        private int ended;
        /** How many look-ups in a row have failed in a way that may pass. */
        private int failedInARow;

        private long notBefore;
        private @Nullable RuntimeException lastFailure;
        /** The failure that is not retried. */
        private @Nullable RuntimeException refusal;

        private long refusedUntil;

        LookUp(String reference) {
            this.reference = reference;
            this.outage = new OutageLog(log, time, "Sender: looking up the queue '" + reference + "'");
            this.notBefore = time.nanos();
            this.neededUntil = notBefore;
        }

        @Nullable
        Queue await(Duration maxBlock) throws InterruptedException {
            Queue known = found;
            if (known != null) {
                return known;
            }
            lock.lockInterruptibly();
            try {
                return awaitLocked(maxBlock);
            } finally {
                lock.unlock();
            }
        }

        private @Nullable Queue awaitLocked(Duration maxBlock) throws InterruptedException {
            long now = time.nanos();
            neededUntil = now + options.deliveryTimeout().toNanos();
            long deadline =
                    now + Math.min(maxBlock.toNanos(), options.deliveryTimeout().toNanos());
            int before = ended;
            while (found == null && !closed) {
                if (refusal != null && (ended != before || refusedUntil - now > 0)) {
                    throw refusal;
                }
                if (!underWay && notBefore - now <= 0 && neededUntil - now > 0) {
                    start();
                }
                if (deadline - now <= 0) {
                    throw late(maxBlock, ended - before);
                }
                long wait = underWay ? deadline - now : Math.min(deadline - now, notBefore - now);
                long ignored = changed.awaitNanos(wait);
                now = time.nanos();
            }
            return found;
        }

        private TransientException late(Duration maxBlock, int lookUps) {
            String last = lastFailure == null ? "no look-up got a response" : lastFailure.getMessage();
            String deliveryTimeout = "delivery-timeout (" + Check.text(options.deliveryTimeout()) + ")";
            String counted = ", looked up " + lookUps + " times; the last failure: " + last;
            if (maxBlock.compareTo(options.deliveryTimeout()) >= 0) {
                return new TransientException(
                        "The queue was not found within " + deliveryTimeout + counted, lastFailure);
            }
            Duration setting = options.buffer().maxBlock();
            return new TransientException(
                    "The queue was not found within max-block (" + Check.text(setting)
                            + (maxBlock.compareTo(setting) < 0 ? ", of which " + millis(maxBlock) + " were left" : "")
                            + ")" + counted + ". The look-up goes on for " + deliveryTimeout
                            + ": send again later, or raise max-block",
                    lastFailure);
        }

        private static String millis(Duration time) {
            return Math.max(0, time.toMillis()) + "ms";
        }

        /** If no thread can be started now, that is a failure which may pass. */
        private void start() {
            underWay = true;
            refusal = null;
            Throwable noThread = ForeignCode.run(() -> threads.execute(this::run));
            if (noThread != null) {
                underWay = false;
                lastFailure = new TransientException(
                        "No thread could look up the queue '" + reference + "': " + SafeThrowable.text(noThread),
                        noThread);
                retryLater();
            }
        }

        /** Looks the queue up until it is found, or refused, or no longer needed. */
        private void run() {
            try {
                boolean again = true;
                while (again) {
                    again = lookUp() && awaitRetry();
                }
            } catch (InterruptedException e) {
                log.debug("The look-up of the queue '{}' was interrupted", reference);
                Thread.currentThread().interrupt();
            } finally {
                end();
            }
        }

        /** Looks the queue up once; returns whether it may be found later although nobody changes anything. */
        private boolean lookUp() {
            long begun = time.nanos();
            ForeignCode.Outcome<Queue> resolved = ForeignCode.call(() -> resolver.resolve(reference));
            Queue queue = resolved.value();
            RuntimeException failure = resolved.failure() == null ? null : known(resolved.failure());
            boolean again = failure instanceof BatchSqsException known && known.retryable();
            ended(queue, failure, again);
            record(queue, failure, again, Duration.ofNanos(time.nanos() - begun));
            return again;
        }

        private RuntimeException known(Throwable failure) {
            if (failure instanceof RuntimeException known) {
                return known;
            }
            boolean interrupted = failure instanceof InterruptedException;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return new BatchSqsException(
                    "The look-up of the queue '" + reference + "' "
                            + (interrupted ? "was interrupted" : "failed: " + failure),
                    failure);
        }

        private void ended(@Nullable Queue queue, @Nullable RuntimeException failure, boolean again) {
            lock.lock();
            try {
                found = queue;
                lastFailure = failure;
                if (again) {
                    retryLater();
                    return;
                }
                ended++;
                failedInARow = 0;
                refusal = failure;
                refusedUntil = time.nanos() + FAILURE_REMEMBERED.toNanos();
            } finally {
                lock.unlock();
            }
        }

        private void record(@Nullable Queue queue, @Nullable RuntimeException failure, boolean again, Duration took) {
            SenderEvents listener = queue == null ? events.notFound(nameOf(reference)) : events.found(queue.name());
            String operation = reference.startsWith("http") ? "GetQueueAttributes" : "GetQueueUrl";
            String code = failure == null ? null : codeOf(failure);
            listener.on(new SenderEvent.ApiCall(operation, 1, took, code));
            if (failure == null || code == null) {
                outage.succeeded();
            } else {
                outage.failed(
                        code,
                        failure.getMessage(),
                        again
                                ? "it is tried again until delivery-timeout"
                                : "messages to it fail, and the next one looks it up again");
            }
        }

        private void retryLater() {
            ended++;
            failedInARow++;
            notBefore = time.nanos()
                    + retry.delay(
                                    failedInARow,
                                    new SplittableRandom(
                                            ThreadLocalRandom.current().nextLong()))
                            .toNanos();
        }

        /** Waits for the time of the next look-up; whether it is still needed then. */
        private boolean awaitRetry() throws InterruptedException {
            lock.lockInterruptibly();
            try {
                long now = time.nanos();
                while (notBefore - now > 0 && needed(now)) {
                    long ignored = changed.awaitNanos(Math.min(notBefore - now, neededUntil - now));
                    now = time.nanos();
                }
                return needed(now);
            } finally {
                lock.unlock();
            }
        }

        private boolean needed(long now) {
            return !closed && neededUntil - now > 0;
        }

        private void end() {
            lock.lock();
            try {
                underWay = false;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void wake() {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        boolean unusedFor(Duration idle, long now) {
            lock.lock();
            try {
                return found == null && !underWay && now - neededUntil > idle.toNanos();
            } finally {
                lock.unlock();
            }
        }
    }
}
