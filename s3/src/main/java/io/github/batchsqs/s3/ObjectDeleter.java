/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.RecurringLog;
import io.github.batchsqs.internal.support.Words;
import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Error;

/**
 * Deletes objects in calls of up to 1,000, one call at a time, on a thread of its own, which the first object starts. While S3
 * fails, it tries again. A key that may spoil the call of others goes out alone, and so do all if the server has no such call.
 *
 * <p>Nobody waits for it: an object that stays is litter, which a lifecycle rule removes, and not an error. At most {@value
 * #MAX_WAITING} objects wait. Each object that stays is counted, and the log names it or counts it.
 */
final class ObjectDeleter implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ObjectDeleter.class);

    static final int MAX_PER_CALL = 1_000;
    private static final int MAX_WAITING = 100_000;
    /** How long the first object of a call waits for others. */
    private static final long LINGER = Duration.ofSeconds(1).toNanos();

    /** How long the close waits for a call that was interrupted. */
    private static final Duration INTERRUPTED = Duration.ofSeconds(1);

    private static final int MAX_TRIES_OF_AN_OBJECT = 5;
    private static final int MAX_NAMED = 100;
    private static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30));

    /** The codes of objects that stay without an error of S3. */
    private static final String CLOSED = "Closed";

    private static final String TOO_MANY = "TooMany";

    private final String bucket;
    private final S3Objects objects;
    private final S3Meters meters;
    private final OutageLog outage;
    private final S3Threads threads;
    private final RecurringLog remaining;
    private final LinkedBlockingQueue<Litter> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Thread thread;

    /** Whether each object has a call of its own; of the thread. */
    private boolean oneByOne;

    /** The objects that the thread has taken, for its end. */
    private List<Litter> current = List.of();

    /** What the close had no time for; of the thread. */
    private final List<Litter> unfinished = new ArrayList<>();

    /**
     * An object to delete; {@code END} ends the thread.
     *
     * @param alone whether it has a call of its own
     */
    private record Litter(String queue, String key, int tries, boolean alone) {
        static final Litter END = new Litter("", "", 0, false);

        Litter triedAgain() {
            return new Litter(queue, key, tries + 1, alone);
        }

        Litter inCallOfItsOwn() {
            return new Litter(queue, key, tries, true);
        }
    }

    ObjectDeleter(
            String bucket, S3Objects objects, S3Meters meters, OutageLog outage, S3Threads threads, TimeSource time) {
        this.bucket = bucket;
        this.objects = objects;
        this.meters = meters;
        this.outage = outage;
        this.threads = threads;
        this.remaining = new RecurringLog(log, time, "S3: objects of " + bucket + " that were not deleted");
    }

    /** Deletes objects some time later. */
    void add(String queue, List<String> keys) {
        List<Litter> tooMany = new ArrayList<>(0);
        for (String key : keys) {
            Litter litter = new Litter(queue, key, 0, !S3Objects.fitsInXml(key));
            if (!waiting.offer(litter)) {
                tooMany.add(litter);
            }
        }
        if (!tooMany.isEmpty()) {
            stay(tooMany, TOO_MANY, MAX_WAITING + " others wait");
        }
        if (started.compareAndSet(false, true)) {
            threads.startDeletes(this);
        }
        if (ended.getCount() == 0) { // the thread may have looked before they came
            stayAfterClose(List.of());
        }
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            boolean goesOn = true;
            while (goesOn) {
                remaining.logDue();
                List<Litter> batch = next();
                goesOn = !batch.remove(Litter.END);
                delete(batch);
            }
        } catch (InterruptedException e) {
            // The time of the close is over.
        } finally {
            ended.countDown();
            unfinished.addAll(current);
            stayAfterClose(unfinished);
            remaining.logRest();
        }
    }

    /** Returns the next objects: up to 1,000, or what came within the linger. */
    private List<Litter> next() throws InterruptedException {
        List<Litter> batch = new ArrayList<>();
        current = batch;
        Litter next = waiting.take();
        long until = System.nanoTime() + LINGER;
        while (next != null) {
            batch.add(next);
            if (batch.size() == MAX_PER_CALL || next.equals(Litter.END)) {
                break;
            }
            long left = closing.getCount() == 0 ? 0 : until - System.nanoTime();
            next = waiting.poll(Math.max(0, left), TimeUnit.NANOSECONDS);
        }
        return batch;
    }

    private void delete(List<Litter> batch) throws InterruptedException {
        current = batch;
        boolean last = false;
        for (int attempt = 1; !current.isEmpty(); attempt++) {
            current = deleteOnce(current);
            if (last) {
                unfinished.addAll(current);
                current = List.of();
                return;
            }
            if (!current.isEmpty()) {
                Duration delay = RETRY.delay(attempt, RandomGenerator.getDefault());
                last = closing.await(delay.toNanos(), TimeUnit.NANOSECONDS);
            }
        }
    }

    /** Returns the objects to try again. */
    private List<Litter> deleteOnce(List<Litter> batch) throws InterruptedException {
        List<Litter> again = new ArrayList<>();
        Map<Boolean, List<Litter>> byCall =
                batch.stream().collect(Collectors.partitioningBy(each -> each.alone() || oneByOne));
        List<Litter> together = byCall.getOrDefault(false, List.of());
        if (!together.isEmpty()) {
            again.addAll(deleteTogether(together));
        }
        Iterator<Litter> alone = byCall.getOrDefault(true, List.of()).iterator();
        while (alone.hasNext() && deleteAlone(alone.next(), again)) {
            // one after the other, until S3 fails
        }
        alone.forEachRemaining(again::add);
        return again;
    }

    private List<Litter> deleteTogether(List<Litter> batch) throws InterruptedException {
        List<S3Error> errors;
        try {
            errors = objects.delete(bucket, batch.stream().map(Litter::key).toList());
        } catch (PayloadStoreException e) {
            if (e.getCause() instanceof SdkException cause && S3Errors.isNotImplemented(cause)) {
                log.info(
                        "S3: the server of {} does not implement DeleteObjects, so each object has a call of its own",
                        bucket);
                oneByOne = true;
                return batch;
            }
            outage.failed(S3Errors.meterCode(e), e.getMessage());
            return e.retryable()
                    ? batch
                    : batch.stream().map(Litter::inCallOfItsOwn).toList();
        } catch (RuntimeException e) { // of a custom client
            outage.failed(S3Errors.OTHER, e.toString());
            return batch;
        }
        Map<String, S3Error> byKey = new HashMap<>();
        errors.forEach(error -> byKey.put(error.key(), error));
        List<Litter> again = new ArrayList<>();
        Map<String, Integer> deleted = new HashMap<>();
        for (Litter each : batch) {
            S3Error error = byKey.get(each.key());
            if (error == null) {
                deleted.merge(each.queue(), 1, Integer::sum);
            } else {
                notDeleted(each, S3Errors.meterCode(String.valueOf(error.code())), error.message(), again);
            }
        }
        if (errors.isEmpty()) {
            outage.succeeded();
        } else {
            S3Error error = errors.getFirst();
            outage.failed(
                    String.valueOf(error.code()),
                    printable(error.key()) + ": " + error.message(),
                    "it is tried a few times");
        }
        deleted.forEach(meters::deleted);
        return again;
    }

    /** Returns whether S3 responded, so that the next call may succeed. */
    private boolean deleteAlone(Litter object, List<Litter> again) throws InterruptedException {
        try {
            objects.deleteAlone(new Pointer(bucket, object.key()));
            meters.deleted(object.queue(), 1);
            outage.succeeded();
            return true;
        } catch (PayloadStoreException e) {
            if (e.retryable()) {
                outage.failed(S3Errors.meterCode(e), e.getMessage());
                again.add(object);
            } else {
                notDeleted(object, S3Errors.meterCode(e), e.getMessage(), again);
            }
            return !e.retryable();
        } catch (RuntimeException e) { // of a custom client
            outage.failed(S3Errors.OTHER, e.toString());
            again.add(object);
            return false;
        }
    }

    /** An object is tried a few times, and then stays. */
    private void notDeleted(Litter object, String code, @Nullable String reason, List<Litter> again) {
        if (object.tries() + 1 < MAX_TRIES_OF_AN_OBJECT) {
            again.add(object.triedAgain());
        } else {
            stay(List.of(object), code, String.valueOf(reason));
        }
    }

    /** Objects stay in the bucket. */
    private void stay(List<Litter> some, String code, String reason) {
        count(some, code);
        if (remaining.record(some.size(), named(some))) {
            log.warn(
                    "S3: {} of {} were not deleted and remain until a lifecycle rule removes them ({}): {}; more are counted"
                            + " once a minute",
                    Words.count(some.size(), "object"),
                    bucket,
                    reason,
                    named(some));
        }
    }

    /** What waits is not deleted any more: the thread has ended. Whoever takes an object out of the queue names it. */
    private void stayAfterClose(List<Litter> unfinished) {
        List<Litter> rest = new ArrayList<>(unfinished);
        int ignored = waiting.drainTo(rest);
        rest.removeIf(Litter.END::equals);
        if (!rest.isEmpty()) {
            count(rest, CLOSED);
            log.warn(
                    "S3: {} of {} were not deleted before the close and remain until a lifecycle rule removes them: {}",
                    Words.count(rest.size(), "object"),
                    bucket,
                    named(rest));
        }
    }

    private void count(List<Litter> some, String code) {
        some.stream()
                .collect(Collectors.groupingBy(Litter::queue, Collectors.summingInt(each -> 1)))
                .forEach((queue, number) -> meters.failed(S3Meters.DELETE, queue, code, number));
    }

    private static String named(List<Litter> some) {
        String keys = some.stream()
                .limit(MAX_NAMED)
                .map(each -> printable(each.key()))
                .collect(Collectors.joining(", "));
        return some.size() > MAX_NAMED ? keys + " and " + (some.size() - MAX_NAMED) + " more" : keys;
    }

    /** A key of somebody else makes no line of its own in the log. */
    private static String printable(@Nullable String key) {
        return String.valueOf(key).replaceAll("[\\p{Cntrl}\\u2028\\u2029]", "?");
    }

    /** Deletes what waits, for as long as this at most; the rest stays in the bucket. Nothing is deleted afterwards. */
    void close(Duration timeout) {
        closing.countDown();
        if (started.compareAndSet(false, true)) {
            ended.countDown();
            return;
        }
        boolean ignored = waiting.offer(Litter.END);
        try {
            if (!ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                Thread running = thread;
                if (running != null) {
                    running.interrupt();
                }
                if (!ended.await(INTERRUPTED.toNanos(), TimeUnit.NANOSECONDS)) {
                    log.warn(
                            "S3: a delete does not end by its interrupt; its objects of {} may remain until a lifecycle rule"
                                    + " removes them",
                            bucket);
                    ended.countDown();
                    stayAfterClose(List.of());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
