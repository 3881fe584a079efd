/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.payload.PayloadStoreException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Deletes objects on threads of its own, as many at once as are fetched. Nobody waits for it, and nothing is tried again
 * beyond what the S3 client does: an object that stays is litter, which a lifecycle rule removes, and not an error. Each one is
 * counted, and the log names the reason. Each has a call of its own: S3 charges nothing for deletes, not each server deletes several
 * objects by one call, and that call takes keys in XML, which cannot hold each key.
 */
final class ObjectDeleter {

    private static final int MAX_WAITING = 100_000;
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    /** How long the close waits for calls that were interrupted. */
    private static final Duration INTERRUPTED = Duration.ofSeconds(1);

    /** The codes of objects that stay without an error of S3. */
    private static final String CLOSED = "Closed";

    private static final String TOO_MANY = "TooMany";

    private final S3Objects objects;
    private final S3Meters meters;
    private final OutageLog outage;
    private final ThreadPoolExecutor calls;

    ObjectDeleter(S3Objects objects, S3Meters meters, OutageLog outage, int maxInFlight) {
        this.objects = objects;
        this.meters = meters;
        this.outage = outage;
        this.calls = new ThreadPoolExecutor(
                maxInFlight,
                maxInFlight,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_WAITING),
                Thread.ofVirtual().name("batchsqs-s3-delete-", 1).factory());
        calls.allowCoreThreadTimeOut(true);
    }

    /** Deletes an object some time later. */
    void add(String queue, Pointer object) {
        Delete delete = new Delete(queue, object);
        try {
            calls.execute(delete);
        } catch (RejectedExecutionException e) {
            if (calls.isShutdown()) {
                delete.closed();
            } else {
                delete.remains(TOO_MANY, MAX_WAITING + " other deletes wait");
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
        private final Pointer object;

        Delete(String queue, Pointer object) {
            this.queue = queue;
            this.object = object;
        }

        @Override
        public void run() {
            try {
                objects.delete(object);
                meters.deleted(queue);
                outage.succeeded();
            } catch (PayloadStoreException e) {
                remains(S3Errors.meterCode(e), String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                closed();
            }
        }

        private void closed() {
            remains(CLOSED, "the application ends");
        }

        private void remains(String code, String reason) {
            meters.failed(S3Meters.DELETE, queue, code);
            outage.failed(code, reason, "such objects remain until a lifecycle rule removes them");
        }
    }
}
