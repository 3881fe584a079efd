/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.support.OutageLog;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.model.S3Error;

/**
 * Deletes objects in calls of up to 1,000, one call at a time, on a thread of its own. While S3 fails, it tries again.
 *
 * <p>Nobody waits for it: an object that stays is litter, which a lifecycle rule removes, and not an error. At most {@value
 * #MAX_WAITING} objects wait.
 */
final class ObjectDeleter implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ObjectDeleter.class);

    static final int MAX_PER_CALL = 1_000;
    private static final int MAX_WAITING = 100_000;
    /** How long the first object of a call waits for others. */
    private static final long LINGER = Duration.ofSeconds(1).toNanos();

    private static final int MAX_TRIES_OF_AN_OBJECT = 5;
    private static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30));

    private final String bucket;
    private final S3Objects objects;
    private final S3Meters meters;
    private final OutageLog outage;
    private final LinkedBlockingQueue<Litter> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Thread thread;

    /** An object to delete; {@code END} ends the thread. */
    private record Litter(String queue, String key, int tries) {
        static final Litter END = new Litter("", "", 0);
    }

    ObjectDeleter(String bucket, S3Objects objects, S3Meters meters, TimeSource time) {
        this.bucket = bucket;
        this.objects = objects;
        this.meters = meters;
        this.outage = new OutageLog(log, time, "S3: deleting payloads in " + bucket);
    }

    /** Deletes objects some time later. */
    void add(String queue, List<String> keys) {
        int lost = 0;
        for (String key : keys) {
            lost += waiting.offer(new Litter(queue, key, 0)) ? 0 : 1;
        }
        if (lost > 0) {
            left(queue, lost);
        }
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            boolean goesOn = true;
            while (goesOn) {
                List<Litter> batch = next();
                goesOn = !batch.remove(Litter.END);
                delete(batch);
            }
        } catch (InterruptedException e) {
            // The time of the close is over.
        } finally {
            ended.countDown();
        }
    }

    /** Returns the next objects: up to 1,000, or what came within the linger. */
    private List<Litter> next() throws InterruptedException {
        List<Litter> batch = new ArrayList<>();
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
        List<Litter> rest = batch;
        boolean last = false;
        for (int attempt = 1; !rest.isEmpty(); attempt++) {
            rest = deleteOnce(rest);
            if (last) {
                rest.forEach(each -> left(each.queue(), 1));
                return;
            }
            if (!rest.isEmpty()) {
                Duration delay = RETRY.delay(attempt, RandomGenerator.getDefault());
                last = closing.await(delay.toNanos(), TimeUnit.NANOSECONDS);
            }
        }
    }

    private List<Litter> deleteOnce(List<Litter> batch) throws InterruptedException {
        List<S3Error> errors;
        try {
            errors = objects.delete(bucket, batch.stream().map(Litter::key).toList());
        } catch (RuntimeException e) { // also what a custom client throws
            outage.failed("delete", e.getMessage());
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
            } else if (each.tries() + 1 < MAX_TRIES_OF_AN_OBJECT) {
                again.add(new Litter(each.queue(), each.key(), each.tries() + 1));
            } else {
                left(each.queue(), 1);
            }
        }
        if (errors.isEmpty()) {
            outage.succeeded();
        } else {
            S3Error error = errors.getFirst();
            outage.failed(
                    String.valueOf(error.code()), error.key() + ": " + error.message(), "it is tried a few times");
        }
        deleted.forEach(meters::deleted);
        return again;
    }

    /** Objects stay in the bucket. */
    private void left(String queue, int objects) {
        meters.failed(S3Meters.DELETE, queue, objects);
    }

    /** Deletes what waits, for as long as this at most; the rest stays in the bucket. */
    void close(Duration timeout) {
        closing.countDown();
        boolean unused = waiting.offer(Litter.END);
        try {
            if (!ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                log.warn(
                        "S3: about {} objects of {} were not deleted before the close; a lifecycle rule removes them",
                        waiting.size(),
                        bucket);
                Thread running = thread;
                if (running != null) {
                    running.interrupt();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
