/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.PayloadPointers;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.OffloadedPayload;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.payload.PayloadStoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Stores payloads as objects of one bucket. Reads the objects of the buckets that are allowed, and deletes those below its own
 * prefix in its own bucket alone, whatever a pointer names.
 *
 * <p>Safe for use by any number of threads. Calls go out side by side, on virtual threads, {@value #MAX_IN_FLIGHT} of each kind at most.
 */
final class S3PayloadStore implements PayloadStore, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(S3PayloadStore.class);

    /** A batch may take this part of the memory, so that several can run at a time. */
    private static final int BATCHES = 4;

    /** Each call needs a connection of the client, which has 50 of them by default. */
    static final int MAX_IN_FLIGHT = 16;

    private final S3Options options;
    private final S3Objects objects;
    private final S3Meters meters;
    private final TimeSource time;
    private final Semaphore uploads;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("batchsqs-s3-call-", 1).factory());
    private final S3Outages outages;
    private final PayloadFetcher fetcher;
    private final ObjectDeleter deleter;

    S3PayloadStore(S3Options options, S3Client client, S3Meters meters, TimeSource time) {
        this.options = options;
        this.objects = new S3Objects(client);
        this.meters = meters;
        this.time = time;
        this.uploads = new Semaphore(MAX_IN_FLIGHT, true);
        this.outages = new S3Outages(options.bucket(), options.readable(), log, time);
        this.fetcher = new PayloadFetcher(options, objects, meters, threads, time, outages, MAX_IN_FLIGHT);
        this.deleter = new ObjectDeleter(options.bucket(), objects, meters, outages.deletes());
        meters.memory(fetcher::taken);
    }

    // ---- sending

    @Override
    public @Nullable OffloadedPayload offload(
            String queue, String body, Map<String, MessageAttribute> attributes, long bytes) {
        if (Pointer.marker(attributes) != null) {
            throw refused(
                    "The attributes " + PayloadPointers.MARKER + " and " + PayloadPointers.LEGACY_MARKER
                            + " mark messages whose payloads are in S3, so no message may have them itself; rename the attribute");
        }
        if (bytes <= options.threshold()) {
            return null;
        }
        if (attributes.size() >= SqsLimits.MAX_ATTRIBUTES) {
            throw refused("It has " + attributes.size() + " attributes, but at most " + (SqsLimits.MAX_ATTRIBUTES - 1)
                    + " are possible when the payload is stored in S3, because " + PayloadPointers.MARKER
                    + " is one of the ten that SQS takes; leave some out");
        }
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        if (content.length > options.memory()) {
            throw refused("The payload has " + content.length + " bytes, but batchsqs.in-flight-bytes is "
                    + Check.bytes(options.memory())
                    + ", and a listener with that could not read it; make it smaller, or"
                    + " raise the setting here and in the listener");
        }
        Map<String, MessageAttribute> marked = new LinkedHashMap<>(attributes);
        marked.put(PayloadPointers.MARKER, MessageAttribute.number(content.length));
        Pointer pointer = new Pointer(options.bucket(), options.keyPrefix() + UUID.randomUUID());
        return new Upload(pointer, pointer.toJson(), marked, content);
    }

    private static PayloadStoreException refused(String rule) {
        return new PayloadStoreException(rule, false, null);
    }

    @Override
    public Map<OffloadedPayload, PayloadStoreException> upload(String queue, List<OffloadedPayload> payloads)
            throws InterruptedException {
        List<Future<Upload>> calls = threads.invokeAll(payloads.stream()
                .<Callable<Upload>>map(each -> () -> upload(queue, (Upload) each))
                .toList());
        Map<OffloadedPayload, PayloadStoreException> failures = new HashMap<>();
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).state() != Future.State.SUCCESS) {
                failures.put(payloads.get(i), S3Objects.failure(calls.get(i)));
            }
        }
        return failures;
    }

    private Upload upload(String queue, Upload upload) throws InterruptedException {
        uploads.acquire();
        long startedAt = time.nanos();
        try {
            objects.put(upload.pointer(), upload.content(), options.uploadTimeout());
            outages.uploads().succeeded(startedAt);
            meters.uploaded(queue);
            return upload;
        } catch (PayloadStoreException e) {
            String code = S3Errors.meterCode(e);
            meters.failed(S3Meters.UPLOAD, queue, code, 1);
            outages.uploads()
                    .failed(
                            code,
                            e.getMessage(),
                            e.retryable() ? "it is tried again until delivery-timeout" : "the messages fail");
            throw e;
        } finally {
            uploads.release();
        }
    }

    @Override
    public void discard(String queue, List<OffloadedPayload> payloads) {
        delete(
                queue,
                payloads.stream().map(each -> ((Upload) each).pointer().key()).toList());
    }

    // ---- receiving

    @Override
    public long storedBytes(ReceivedMessage message) {
        return Math.min(Pointer.size(Pointer.marker(message.attributes())), options.memory());
    }

    @Override
    public long maxBatchBytes() {
        return options.memory() / BATCHES;
    }

    @Override
    public FetchedPayloads fetch(String queue, List<ReceivedMessage> messages) throws InterruptedException {
        return fetcher.fetch(queue, messages, true);
    }

    @Override
    public FetchedPayloads fetchForCaller(String queue, ReceivedMessage message) throws InterruptedException {
        return fetcher.fetch(queue, List.of(message), false);
    }

    @Override
    public void deleted(String queue, List<ReceivedMessage> messages) {
        if (!options.deleteAfter()) {
            return;
        }
        List<String> keys = new ArrayList<>(messages.size());
        for (ReceivedMessage each : messages) {
            if (Pointer.marker(each.attributes()) != null) {
                addOwned(each, keys);
            }
        }
        delete(queue, keys);
    }

    private void addOwned(ReceivedMessage message, List<String> keys) {
        try {
            Pointer pointer = Pointer.of(message);
            if (options.owns(pointer)) {
                keys.add(pointer.key());
            }
        } catch (PayloadStoreException e) {
            // No pointer, so there is no object: the handler's mode deletes what cannot be read as well
        }
    }

    private void delete(String queue, List<String> keys) {
        if (!keys.isEmpty()) {
            deleter.add(queue, keys);
        }
    }

    // ---- state

    String bucket() {
        return options.bucket();
    }

    /** Returns what fails at present, for the health. */
    S3Outages outages() {
        return outages;
    }

    /** Deletes what is to be deleted, for a few seconds at most. */
    @Override
    public void close() {
        deleter.close();
    }
}
