/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Fetches the payloads of batches. The memory of a batch is taken at once, so that two batches never wait for each other, in the
 * order of the requests, so that small batches do not overtake a large one for ever. Its size is what the messages claim; no byte
 * is read of an object that is larger than its message claims. Safe for use by any number of threads.
 */
final class PayloadFetcher {

    /** Each call has at least this time, also at the end of the fetch timeout. */
    private static final Duration SHORTEST_FETCH = Duration.ofSeconds(1);

    private static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(5));

    /** The unit of the memory, so that the number of units is an integer. */
    private static final long UNIT = 1 << 10;

    private final S3Options options;
    private final S3Objects objects;
    private final S3Meters meters;
    private final ExecutorService threads;
    private final TimeSource time;
    private final S3Outages outages;
    private final Semaphore calls;
    private final int capacity;
    private final Semaphore memory;

    PayloadFetcher(
            S3Options options,
            S3Objects objects,
            S3Meters meters,
            ExecutorService threads,
            TimeSource time,
            S3Outages outages,
            int maxInFlight) {
        this.options = options;
        this.objects = objects;
        this.meters = meters;
        this.threads = threads;
        this.time = time;
        this.outages = outages;
        this.calls = new Semaphore(maxInFlight, true);
        this.capacity = Math.toIntExact(options.memory() / UNIT);
        this.memory = new Semaphore(capacity, true);
    }

    /** Returns the number of bytes that are taken, rounded up for each batch. */
    long taken() {
        return (capacity - memory.availablePermits()) * UNIT;
    }

    /**
     * Fetches the payloads of a batch, and waits for the memory that they need. The fetch timeout is for all together.
     *
     * @param takesMemory not for a caller of the template, who may have some already, and holds the payload
     */
    FetchedPayloads fetch(String queue, List<ReceivedMessage> messages, boolean takesMemory)
            throws InterruptedException {
        IdentityHashMap<ReceivedMessage, Future<ReceivedMessage>> results = new IdentityHashMap<>(0);
        List<Fetch> stored = new ArrayList<>(0);
        for (ReceivedMessage each : messages) {
            if (Pointer.marker(each.attributes()) != null) {
                try {
                    stored.add(readable(each));
                } catch (PayloadStoreException e) {
                    results.put(each, CompletableFuture.failedFuture(e));
                }
            }
        }
        Fetched fetched = new Fetched(results, takesMemory ? units(stored) : 0);
        if (fetched.units > 0) { // or it would wait behind others
            memory.acquire(fetched.units);
        }
        if (!stored.isEmpty()) {
            boolean complete = false;
            try {
                fetchAll(stored, results);
                complete = true;
            } finally {
                if (!complete) {
                    fetched.close();
                }
            }
        }
        results.values().forEach(result -> count(queue, result));
        return fetched;
    }

    private int units(List<Fetch> stored) {
        long bytes = stored.stream().mapToLong(Fetch::size).sum();
        return (int) Math.min(capacity, (bytes + UNIT - 1) / UNIT);
    }

    private void fetchAll(List<Fetch> stored, IdentityHashMap<ReceivedMessage, Future<ReceivedMessage>> results)
            throws InterruptedException {
        long deadline = time.nanos() + options.fetchTimeout().toNanos();
        List<Future<ReceivedMessage>> ended = threads.invokeAll(stored.stream()
                .<Callable<ReceivedMessage>>map(each -> () -> fetch(each, deadline))
                .toList());
        for (int i = 0; i < ended.size(); i++) {
            results.put(stored.get(i).message, ended.get(i));
        }
    }

    private void count(String queue, Future<ReceivedMessage> result) {
        if (result.state() == Future.State.SUCCESS) {
            meters.fetched(queue);
        } else {
            meters.failed(S3Meters.FETCH, queue, S3Errors.meterCode(S3Objects.failure(result)), 1);
        }
    }

    /**
     * Returns the fetch of a message whose object may be read here.
     *
     * @throws PayloadStoreException if it may not, so that trying again is of no use
     */
    private Fetch readable(ReceivedMessage message) {
        Pointer pointer = Pointer.of(message);
        if (!options.readable().contains(pointer.bucket())) {
            throw new PayloadStoreException(
                    "The payload " + pointer + " is in a bucket that is not read here; if the sender of the message is"
                            + " trusted, add the bucket to batchsqs.s3.read-buckets",
                    false,
                    null);
        }
        long size = Pointer.size(Pointer.marker(message.attributes()));
        if (size > options.memory()) {
            throw new PayloadStoreException(
                    "The payload " + pointer + " has " + size + " bytes, but batchsqs.in-flight-bytes is "
                            + Check.bytes(options.memory()) + "; raise it",
                    false,
                    null);
        }
        return new Fetch(message, pointer, size);
    }

    /** Returns the message with its payload; fetches again until the deadline while S3 fails. */
    private ReceivedMessage fetch(Fetch fetch, long deadline) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return new ResolvedMessage(
                        fetch.message, new String(fetchOnce(fetch, deadline), StandardCharsets.UTF_8));
            } catch (PayloadStoreException e) {
                Duration delay = RETRY.delay(attempt, RandomGenerator.getDefault());
                if (!e.retryable() || deadline - time.nanos() <= delay.toNanos()) {
                    throw e;
                }
                Thread.sleep(delay);
            }
        }
    }

    private byte[] fetchOnce(Fetch fetch, long deadline) throws InterruptedException {
        OutageLog outage = outages.fetches(fetch.pointer.bucket());
        if (!calls.tryAcquire(Math.max(0, deadline - time.nanos()), TimeUnit.NANOSECONDS)) {
            throw new PayloadStoreException(
                    "The payload " + fetch.pointer + " was not fetched: " + Check.text(options.fetchTimeout())
                            + " passed while others of its batch were fetched",
                    true,
                    null);
        }
        long startedAt = time.nanos();
        Duration left = Duration.ofNanos(deadline - startedAt);
        Duration limit = left.compareTo(SHORTEST_FETCH) < 0 ? SHORTEST_FETCH : left;
        try {
            byte[] content = objects.get(fetch.pointer, fetch.size, limit);
            outage.succeeded(startedAt);
            return content;
        } catch (PayloadStoreException e) {
            if (e.retryable()) {
                outage.failed(
                        S3Errors.meterCode(e),
                        e.getMessage(),
                        "it is tried again for " + Check.text(options.fetchTimeout()));
            } else { // S3 responded
                outage.succeeded(startedAt);
            }
            throw e;
        } finally {
            calls.release();
        }
    }

    /**
     * The fetch of one payload.
     *
     * @param size the size that the message claims, which is the memory that it has
     */
    private record Fetch(ReceivedMessage message, Pointer pointer, long size) {}

    /** The payloads of one batch. */
    private final class Fetched implements FetchedPayloads {

        private final IdentityHashMap<ReceivedMessage, Future<ReceivedMessage>> results;
        private int units;

        Fetched(IdentityHashMap<ReceivedMessage, Future<ReceivedMessage>> results, int units) {
            this.results = results;
            this.units = units;
        }

        @Override
        public ReceivedMessage message(ReceivedMessage message) {
            Future<ReceivedMessage> result = results.get(message);
            if (result == null && Pointer.marker(message.attributes()) != null) {
                throw new PayloadStoreException(
                        "The payload was not fetched, because the lease of its message had ended", true, null);
            }
            if (result == null) {
                return message;
            }
            if (result.state() == Future.State.SUCCESS) {
                return result.resultNow();
            }
            throw S3Objects.failure(result);
        }

        @Override
        public void close() {
            memory.release(units);
            units = 0;
        }
    }
}
