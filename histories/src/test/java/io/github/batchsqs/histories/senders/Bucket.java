/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.senders;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.model.time.VirtualTime;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.OffloadedPayload;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.payload.PayloadStoreException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The store of every second payload. Its uploads take their time, or hang in some histories, and some fail, whether they took effect or not. */
final class Bucket implements PayloadStore {

    private static final String POINTER = "in the bucket: ";
    private static final long SLOWEST = 2_000_000_000L;
    private static final int FAILING = 5;
    private static final long HANG = 40_000_000_000L;
    private static final int HANGING = 4;

    private final VirtualTime time;
    private final boolean hangs;
    private final Set<String> stored = new HashSet<>();
    private final Set<String> discarded = new HashSet<>();

    Bucket(VirtualTime time) {
        this.time = time;
        this.hangs = time.random().nextInt(3) == 0;
    }

    private record Payload(String original, Map<String, MessageAttribute> attributes) implements OffloadedPayload {

        @Override
        public String body() {
            return POINTER + original;
        }

        @Override
        public long bytes() {
            return original.length();
        }
    }

    /** {@return what the sender sent, whether the message has it or points to it} */
    static String original(String body) {
        return body.startsWith(POINTER) ? body.substring(POINTER.length()) : body;
    }

    /** {@return whether a message with this body can be read} */
    boolean hasPayloadOf(String body) {
        return !body.startsWith(POINTER) || (stored.contains(original(body)) && !isDiscarded(original(body)));
    }

    boolean isDiscarded(String original) {
        return discarded.contains(original);
    }

    @Override
    public @Nullable OffloadedPayload offload(
            String queue, String body, Map<String, MessageAttribute> attributes, long bytes) {
        return body.hashCode() % 2 == 0 ? new Payload(body, attributes) : null;
    }

    @Override
    public Map<OffloadedPayload, PayloadStoreException> upload(String queue, List<OffloadedPayload> payloads)
            throws InterruptedException {
        Map<OffloadedPayload, PayloadStoreException> failures = new HashMap<>();
        for (OffloadedPayload payload : payloads) {
            boolean fails = time.random().nextInt(FAILING) == 0;
            if (!fails || time.random().nextBoolean()) {
                stored.add(original(payload.body()));
            }
            boolean hanging = hangs && time.random().nextInt(HANGING) == 0;
            time.sleep(hanging ? HANG : time.random().nextLong(SLOWEST / payloads.size()));
            if (fails) {
                failures.put(payload, new PayloadStoreException("the plan wants it", true, null));
            }
        }
        return failures;
    }

    @Override
    public void discard(String queue, List<OffloadedPayload> payloads) {
        payloads.forEach(payload -> discarded.add(original(payload.body())));
    }

    @Override
    public long storedBytes(ReceivedMessage message) {
        return 0;
    }

    @Override
    public long maxBatchBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public FetchedPayloads fetch(String queue, List<ReceivedMessage> messages) {
        throw new UnsupportedOperationException("Nothing is received");
    }

    @Override
    public void deleted(String queue, List<ReceivedMessage> messages) {
        throw new UnsupportedOperationException("Nothing is received");
    }
}
