/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.payload.PayloadStoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.s3.model.S3Error;

/**
 * Deletes objects on a few threads of its own, those of one call to SQS together. Nobody waits for it, and nothing is tried again
 * beyond what the S3 client does: an object that stays is litter, which a lifecycle rule removes, and not an error. Each one is
 * counted, and the log names the reason.
 */
final class ObjectDeleter {

    private static final int MAX_CALLS = 4;
    private static final int MAX_WAITING = 10_000;
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    /** How long the close waits for calls that were interrupted. */
    private static final Duration INTERRUPTED = Duration.ofSeconds(1);

    /** The codes of objects that stay without an error of S3. */
    private static final String CLOSED = "Closed";

    private static final String TOO_MANY = "TooMany";

    private final String bucket;
    private final S3Objects objects;
    private final S3Meters meters;
    private final OutageLog outage;
    private final ThreadPoolExecutor calls = new ThreadPoolExecutor(
            MAX_CALLS,
            MAX_CALLS,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            Thread.ofVirtual().name("batchsqs-s3-delete-", 1).factory());

    ObjectDeleter(String bucket, S3Objects objects, S3Meters meters, OutageLog outage) {
        this.bucket = bucket;
        this.objects = objects;
        this.meters = meters;
        this.outage = outage;
        calls.allowCoreThreadTimeOut(true);
    }

    /**
     * Deletes objects some time later.
     *
     * @param keys those of one call to SQS
     */
    void add(String queue, List<String> keys) {
        Delete delete = new Delete(queue, keys);
        try {
            calls.execute(delete);
        } catch (RejectedExecutionException e) {
            if (calls.isShutdown()) {
                delete.closed();
            } else {
                delete.remain(keys.size(), TOO_MANY, MAX_WAITING + " other deletes wait");
            }
        }
    }

    /** Deletes what waits, for a few seconds at most; the rest stays in the bucket. Nothing is deleted afterwards. */
    void close() {
        calls.shutdown();
        try {
            if (!calls.awaitTermination(LONGEST_CLOSE.toSeconds(), TimeUnit.SECONDS)) {
                calls.shutdownNow().forEach(each -> ((Delete) each).closed());
                boolean ignored = calls.awaitTermination(INTERRUPTED.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            calls.shutdownNow().forEach(each -> ((Delete) each).closed());
            Thread.currentThread().interrupt();
        }
    }

    private final class Delete implements Runnable {

        private final String queue;
        private final List<String> keys;

        Delete(String queue, List<String> keys) {
            this.queue = queue;
            this.keys = keys;
        }

        @Override
        public void run() {
            try {
                List<S3Error> errors = objects.delete(bucket, keys);
                meters.deleted(queue, keys.size() - errors.size());
                errors.forEach(each -> remain(1, S3Errors.meterCode(each.code()), each.message()));
                if (errors.isEmpty()) {
                    outage.succeeded();
                }
            } catch (PayloadStoreException e) {
                if (keys.size() > 1 && S3Errors.blamesContent(e)) { // one key spoils it, or the server has no such call
                    keys.forEach(key -> new Delete(queue, List.of(key)).run());
                } else {
                    remain(keys.size(), S3Errors.meterCode(e), String.valueOf(e.getMessage()));
                }
            } catch (InterruptedException e) {
                closed();
                Thread.currentThread().interrupt(); // for the rest of the keys
            }
        }

        private void closed() {
            remain(keys.size(), CLOSED, "the application ends");
        }

        private void remain(int number, String code, String reason) {
            meters.failed(S3Meters.DELETE, queue, code, number);
            outage.failed(code, reason, "such objects remain until a lifecycle rule removes them");
        }
    }
}
