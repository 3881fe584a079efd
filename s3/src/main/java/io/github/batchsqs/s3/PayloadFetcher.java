/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the payloads of batches. The memory of a batch is one reservation, taken at once, so that two batches never wait for each
 * other. Its size is what the messages claim; no byte is read of an object that is larger than its message claims. Safe for use by
 * any number of threads.
 */
final class PayloadFetcher {

    /** Each call has at least this time, also at the end of the fetch timeout. */
    private static final Duration SHORTEST_FETCH = Duration.ofSeconds(1);

    private static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(5));

    private final S3Options options;
    private final S3Objects objects;
    private final S3Meters meters;
    private final S3Threads threads;
    private final TimeSource time;
    private final S3Outages outages;
    private final Semaphore calls;
    private final CountDownLatch closed = new CountDownLatch(1);

    PayloadFetcher(
            S3Options options,
            S3Objects objects,
            S3Meters meters,
            S3Threads threads,
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
    }

    /** Fetches the payloads of messages, and waits for the memory that they need. The fetch timeout is for all together. */
    FetchedPayloads fetch(String queue, List<ReceivedMessage> messages, ByteBudget memory) throws InterruptedException {
        Map<ReceivedMessage, Object> results = new ConcurrentHashMap<>(0);
        List<Fetch> stored = new ArrayList<>(0);
        for (ReceivedMessage each : messages) {
            if (Pointer.marker(each.attributes()) != null) {
                try {
                    stored.add(readable(each));
                } catch (PayloadStoreException e) {
                    results.put(each, e);
                }
            }
        }
        if (stored.isEmpty()) { // which waits for nobody's memory
            results.values().forEach(result -> count(queue, result));
            return new Fetched(results, null);
        }
        ByteBudget.Reservation reservation =
                memory.take(stored.stream().mapToLong(Fetch::size).sum());
        boolean complete = false;
        try {
            long deadline = time.nanos() + options.fetchTimeout().toNanos();
            threads.run(stored.stream()
                    .<S3Threads.Task>map(each -> () -> results.put(each.message, fetch(each, deadline)))
                    .toList());
            complete = true;
        } finally {
            if (!complete) {
                reservation.release();
            }
        }
        results.values().forEach(result -> count(queue, result));
        return new Fetched(results, reservation);
    }

    private void count(String queue, Object result) {
        if (result instanceof PayloadStoreException failure) {
            meters.failed(S3Meters.FETCH, queue, S3Errors.meterCode(failure), 1);
        } else {
            meters.fetched(queue);
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

    /** Returns the message with its payload, or the failure; fetches again until the deadline while S3 fails. */
    private Object fetch(Fetch fetch, long deadline) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return new ResolvedMessage(
                        fetch.message, new String(fetchOnce(fetch, deadline), StandardCharsets.UTF_8));
            } catch (PayloadStoreException e) {
                Duration delay = RETRY.delay(attempt, RandomGenerator.getDefault());
                if (!e.retryable()
                        || deadline - time.nanos() <= delay.toNanos()
                        || closed.await(delay.toNanos(), TimeUnit.NANOSECONDS)) {
                    return e;
                }
            }
        }
    }

    private byte[] fetchOnce(Fetch fetch, long deadline) throws InterruptedException {
        OutageLog outage = outages.fetches(fetch.pointer.bucket());
        if (!calls.tryAcquire(Math.max(0, deadline - time.nanos()), TimeUnit.NANOSECONDS)) {
            throw failed(
                    "The payload " + fetch.pointer + " was not fetched: " + Check.text(options.fetchTimeout())
                            + " passed while others of its batch were fetched",
                    null);
        }
        long startedAt = time.nanos();
        Duration left = Duration.ofNanos(deadline - startedAt);
        Duration limit = left.compareTo(SHORTEST_FETCH) < 0 ? SHORTEST_FETCH : left;
        try {
            byte[] content = get(fetch, limit);
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

    private byte[] get(Fetch fetch, Duration limit) throws InterruptedException {
        try {
            return objects.get(fetch.pointer, fetch.size, limit);
        } catch (PayloadStoreException e) {
            throw e;
        } catch (RuntimeException e) { // of a custom client, for example
            throw failed("The payload " + fetch.pointer + " cannot be fetched: " + e, e);
        }
    }

    private static PayloadStoreException failed(String what, @Nullable Throwable cause) {
        return new PayloadStoreException(what, true, cause);
    }

    /** From now on, what fails is tried again no more. */
    void close() {
        closed.countDown();
    }

    /**
     * The fetch of one payload.
     *
     * @param size the size that the message claims, which is the memory that it has
     */
    private record Fetch(ReceivedMessage message, Pointer pointer, long size) {}

    /** The payloads of one batch. */
    private record Fetched(Map<ReceivedMessage, Object> results, ByteBudget.@Nullable Reservation reservation)
            implements FetchedPayloads {

        @Override
        public ReceivedMessage message(ReceivedMessage message) {
            Object result = results.get(message);
            if (result instanceof ReceivedMessage resolved) {
                return resolved;
            }
            if (result instanceof PayloadStoreException failure) {
                throw failure;
            }
            if (Pointer.marker(message.attributes())
                    != null) { // it was not to be fetched, or an Error ended its thread
                throw failed("The payload was not fetched", null);
            }
            return message;
        }

        @Override
        public void close() {
            if (reservation != null) {
                results.clear();
                reservation.release();
            }
        }
    }
}
