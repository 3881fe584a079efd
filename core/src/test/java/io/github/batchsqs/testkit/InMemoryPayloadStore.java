/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.codec.ForwardingMessage;
import io.github.batchsqs.internal.support.PayloadPointers;
import io.github.batchsqs.internal.support.Utf8;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.OffloadedPayload;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.payload.PayloadStoreException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store of payloads in memory, with faults on demand. It stores the payloads that begin with {@code large}. */
public final class InMemoryPayloadStore implements PayloadStore {

    private static final String MARKER = PayloadPointers.MARKER;

    /** The stored payloads by key. */
    public final Map<String, String> objects = new ConcurrentSkipListMap<>();
    /** The keys of the payloads whose messages were deleted, and of those that were discarded. */
    public final List<String> deleted = new CopyOnWriteArrayList<>();

    public final List<String> discarded = new CopyOnWriteArrayList<>();

    /** How many batches have not been closed. */
    public final AtomicInteger open = new AtomicInteger();

    private final AtomicInteger keys = new AtomicInteger();
    private volatile Function<String, @Nullable PayloadStoreException> uploads = body -> null;
    private volatile Function<String, @Nullable PayloadStoreException> fetches = key -> null;
    private volatile long maxBatchBytes = Long.MAX_VALUE;

    /** Decides from now on which uploads fail, by the payload; may block. */
    public void uploads(Function<String, @Nullable PayloadStoreException> fault) {
        uploads = fault;
    }

    /** Decides from now on which fetches fail, by the key; may block. */
    public void fetches(Function<String, @Nullable PayloadStoreException> fault) {
        fetches = fault;
    }

    /** Sets the limit of listeners that start from now on. */
    public void maxBatchBytes(long bytes) {
        maxBatchBytes = bytes;
    }

    /** A failure that passes. */
    public static PayloadStoreException unavailable() {
        return new PayloadStoreException("the store is down", true, null);
    }

    /** A failure that does not pass. */
    public static PayloadStoreException unreadable() {
        return new PayloadStoreException("the object is missing", false, null);
    }

    private static final class Payload implements OffloadedPayload {
        private final String key;
        private final String content;
        private final Map<String, MessageAttribute> attributes;

        Payload(String key, String content, Map<String, MessageAttribute> attributes) {
            this.key = key;
            this.content = content;
            this.attributes = attributes;
        }

        @Override
        public String body() {
            return key;
        }

        @Override
        public Map<String, MessageAttribute> attributes() {
            return attributes;
        }

        @Override
        public long bytes() {
            return Utf8.length(content);
        }
    }

    @Override
    public @Nullable OffloadedPayload offload(
            String queue, String body, Map<String, MessageAttribute> attributes, long bytes) {
        if (!body.startsWith("large")) {
            return null;
        }
        Map<String, MessageAttribute> marked = new HashMap<>(attributes);
        marked.put(MARKER, MessageAttribute.number(Utf8.length(body)));
        return new Payload("key-" + keys.incrementAndGet(), body, marked);
    }

    @Override
    public Map<OffloadedPayload, PayloadStoreException> upload(String queue, List<OffloadedPayload> payloads) {
        Map<OffloadedPayload, PayloadStoreException> failures = new HashMap<>();
        for (OffloadedPayload each : payloads) {
            Payload payload = (Payload) each;
            PayloadStoreException failure = uploads.apply(payload.content);
            if (failure != null) {
                failures.put(each, failure);
            } else {
                objects.put(payload.key, payload.content);
            }
        }
        return failures;
    }

    @Override
    public void discard(String queue, List<OffloadedPayload> payloads) {
        payloads.forEach(each -> discarded.add(each.body()));
    }

    @Override
    public long storedBytes(ReceivedMessage message) {
        MessageAttribute marker = message.attributes().get(MARKER);
        return marker == null ? 0 : Long.parseLong(marker.stringValue());
    }

    @Override
    public long maxBatchBytes() {
        return maxBatchBytes;
    }

    @Override
    public FetchedPayloads fetch(String queue, List<ReceivedMessage> messages) {
        open.incrementAndGet();
        Set<ReceivedMessage> fetched = new HashSet<>(messages);
        return new FetchedPayloads() {
            @Override
            public ReceivedMessage message(ReceivedMessage message) {
                if (storedBytes(message) == 0) {
                    return message;
                }
                if (!fetched.contains(message)) {
                    throw new AssertionError("was not to be fetched");
                }
                PayloadStoreException failure = fetches.apply(message.body());
                if (failure != null) {
                    throw failure;
                }
                return new WithBody(message, String.valueOf(objects.get(message.body())));
            }

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }

    @Override
    public void deleted(String queue, List<ReceivedMessage> messages) {
        messages.stream().filter(message -> storedBytes(message) > 0).forEach(message -> deleted.add(message.body()));
    }

    private static final class WithBody extends ForwardingMessage {
        private final String body;

        WithBody(ReceivedMessage message, String body) {
            super(message);
            this.body = body;
        }

        @Override
        public String body() {
            return body;
        }
    }
}
