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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the payloads of batches. The memory of a batch is one reservation, taken at once, so that two batches never wait for each
 * other.
 *
 * <p>The reservation follows from the sizes that the messages claim. If S3 names a larger size, and there is no memory for the
 * difference at that moment, no byte of the object is read: the batch releases its memory, and takes what it really needs. Safe for
 * use by any number of threads.
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
            S3Outages outages) {
        this.options = options;
        this.objects = objects;
        this.meters = meters;
        this.threads = threads;
        this.time = time;
        this.outages = outages;
        this.calls = new Semaphore(options.maxInFlight(), true);
    }

    /** Fetches the payloads of messages, and waits for the memory that they need. */
    FetchedPayloads fetch(String queue, List<ReceivedMessage> messages, ByteBudget memory) throws InterruptedException {
        Map<ReceivedMessage, Object> results = new HashMap<>(0);
        List<Fetch> stored = new ArrayList<>(messages.size());
        for (ReceivedMessage each : messages) {
            if (Pointer.marker(each.attributes()) != null) {
                try {
                    stored.add(new Fetch(each, readable(each)));
                } catch (PayloadStoreException e) {
                    results.put(each, e);
                }
            }
        }
        ByteBudget.Reservation reservation = stored.isEmpty() ? null : fetch(stored, memory);
        stored.forEach(each -> results.put(each.message, each.result()));
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
     * Returns the pointer of a message whose object may be read here.
     *
     * @throws PayloadStoreException if it may not, so that trying again is of no use
     */
    private Pointer readable(ReceivedMessage message) {
        Pointer pointer = Pointer.of(message);
        if (!options.readable().contains(pointer.bucket())) {
            throw new PayloadStoreException(
                    "The payload " + pointer + " is in a bucket that is not read here; if the sender of the message is"
                            + " trusted, add the bucket to batchsqs.s3.read-buckets",
                    false,
                    null);
        }
        long claimed = Pointer.size(Pointer.marker(message.attributes()));
        if (claimed > options.memory()) {
            throw objects.tooLarge(pointer, claimed);
        }
        return pointer;
    }

    /** Fetches until no payload needs more memory than it has; returns the memory of all. The fetch timeout is for all together. */
    private ByteBudget.Reservation fetch(List<Fetch> stored, ByteBudget memory) throws InterruptedException {
        Long deadline = null;
        while (true) {
            ByteBudget.Reservation reservation = memory.take(plan(stored));
            long end = deadline == null ? time.nanos() + options.fetchTimeout().toNanos() : deadline;
            deadline = end;
            boolean complete = false;
            try {
                threads.run(stored.stream()
                        .filter(each -> each.result == null)
                        .<S3Threads.Task>map(each -> () -> each.result = fetch(each, reservation, end))
                        .toList());
                complete = stored.stream().noneMatch(each -> each.needsMore);
                if (complete) {
                    return reservation;
                }
            } finally {
                if (!complete) {
                    stored.forEach(Fetch::drop);
                    reservation.release();
                }
            }
        }
    }

    /**
     * Decides which payloads get memory, in their order, and returns how much they need together. The payloads of messages that
     * claim their sizes fit, because batches end by bytes; those of other messages may not, and some of them are tried again later.
     */
    private long plan(List<Fetch> stored) {
        long total = 0;
        for (Fetch each : stored) {
            each.needsMore = false;
            if (each.result == null) {
                if (total > 0 && total + each.size > options.memory()) {
                    each.result = noRoom(each);
                } else {
                    each.reserved = each.size;
                    total += each.size;
                }
            }
        }
        return total;
    }

    private PayloadStoreException noRoom(Fetch fetch) {
        return new PayloadStoreException(
                "The payload " + fetch.pointer + " has " + fetch.size + " bytes, but its message claims "
                        + fetch.claimed
                        + ", and beside the others of its batch there is no room in batchsqs.s3.memory ("
                        + Check.bytes(options.memory())
                        + "); let the sender of the message put the size into the attribute "
                        + Pointer.MARKER,
                true,
                null);
    }

    /**
     * Returns the message with its payload, or the failure; fetches again until the fetch timeout while S3 fails. Returns {@code
     * null} if the payload needs more memory than is reserved.
     */
    private @Nullable Object fetch(Fetch fetch, ByteBudget.Reservation reservation, long deadline)
            throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                byte[] content = fetchOnce(fetch, reservation, deadline);
                return content == null
                        ? null
                        : new ResolvedMessage(fetch.message, new String(content, StandardCharsets.UTF_8));
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

    private byte @Nullable [] fetchOnce(Fetch fetch, ByteBudget.Reservation reservation, long deadline)
            throws InterruptedException {
        OutageLog outage = outages.fetches(fetch.pointer.bucket());
        if (!calls.tryAcquire(Math.max(0, deadline - time.nanos()), TimeUnit.NANOSECONDS)) {
            throw failed(
                    "The payload " + fetch.pointer + " was not fetched: batchsqs.s3.fetch-timeout ("
                            + Check.text(options.fetchTimeout()) + ") passed while others of its batch were fetched",
                    null);
        }
        long startedAt = time.nanos();
        Duration left = Duration.ofNanos(deadline - startedAt);
        Duration limit = left.compareTo(SHORTEST_FETCH) < 0 ? SHORTEST_FETCH : left;
        try {
            byte[] content = get(fetch, reservation, limit);
            outage.succeeded(startedAt);
            return content;
        } catch (PayloadStoreException e) {
            if (e.retryable()) {
                outage.failed(
                        S3Errors.meterCode(e), e.getMessage(), "it is tried again until batchsqs.s3.fetch-timeout");
            } else { // S3 responded
                outage.succeeded(startedAt);
            }
            throw e;
        } finally {
            calls.release();
        }
    }

    private byte @Nullable [] get(Fetch fetch, ByteBudget.Reservation reservation, Duration limit)
            throws InterruptedException {
        try {
            return objects.get(fetch.pointer, bytes -> fetch.take(bytes, reservation), limit);
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

    /** The fetch of one payload. One thread after the other uses it: the caller's, and that of its calls. */
    private static final class Fetch {

        private final ReceivedMessage message;
        private final Pointer pointer;
        /** The size that the message claims; 0 if it claims none. */
        private final long claimed;
        /** The size that the message claims, or that S3 names if that is more. */
        private long size;
        /** The memory that it has. */
        private long reserved;

        private boolean needsMore;
        private @Nullable Object result;

        Fetch(ReceivedMessage message, Pointer pointer) {
            this.message = message;
            this.pointer = pointer;
            this.claimed = Pointer.size(Pointer.marker(message.attributes()));
            this.size = claimed;
        }

        /** Takes more memory if the object is larger than is reserved for it. */
        boolean take(long length, ByteBudget.Reservation reservation) throws InterruptedException {
            if (length > reserved) {
                size = length;
                needsMore = !reservation.tryAdd(length - reserved);
                reserved = needsMore ? reserved : length;
            }
            return !needsMore;
        }

        /** Its memory is released; a failure stays. */
        void drop() {
            if (result instanceof ReceivedMessage) {
                result = null;
            }
        }

        /** Returns the message with its payload, or the failure. */
        Object result() {
            return result != null ? result : failed("The payload was not fetched", null); // an Error ended its thread
        }
    }

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
            if (Pointer.marker(message.attributes()) != null) { // it was not to be fetched
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
