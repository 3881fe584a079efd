/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.histories.laws.Receive;
import io.github.batchsqs.histories.laws.Truth;
import io.github.batchsqs.model.time.VirtualTime;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.OffloadedPayload;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.payload.PayloadStoreException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The store of all payloads: a fetch takes its time, sometimes for long, and fails once for some messages. */
final class Payloads implements PayloadStore {

    private static final long USUAL = 200_000_000L;
    private static final long SLOW = 6_000_000_000L;
    private static final int SELDOM = 8;
    private static final int BYTES = 100;

    private final VirtualTime time;
    private final Truth truth;
    private final Set<String> failed = new HashSet<>();

    Payloads(VirtualTime time, Truth truth) {
        this.time = time;
        this.truth = truth;
    }

    @Override
    public FetchedPayloads fetch(String queue, List<ReceivedMessage> messages) throws InterruptedException {
        boolean slow = time.random().nextInt(SELDOM) == 0;
        time.sleep(time.random().nextLong(slow ? SLOW : USUAL));
        Set<ReceivedMessage> missing = new HashSet<>();
        for (ReceivedMessage message : messages) {
            if (time.random().nextInt(SELDOM) == 0 && failed.add(message.body())) {
                Receive receive = truth.receive(message.receiptHandle());
                receive.excuse("its payload was not fetched");
                receive.message.condemned = true;
                truth.excuseBehind(receive.message, "the payload of one before it was not fetched");
                missing.add(message);
            }
        }
        return new FetchedPayloads() {
            @Override
            public ReceivedMessage message(ReceivedMessage message) {
                if (missing.contains(message)) {
                    throw new PayloadStoreException("the plan wants it", true, null);
                }
                return message;
            }

            @Override
            public void close() {
                // There is no memory to release.
            }
        };
    }

    @Override
    public void deleted(String queue, List<ReceivedMessage> messages) {
        messages.forEach(message -> truth.payloadRemoved(message.receiptHandle()));
    }

    @Override
    public long storedBytes(ReceivedMessage message) {
        return BYTES;
    }

    @Override
    public long maxBatchBytes() {
        return 6 * BYTES;
    }

    @Override
    public @Nullable OffloadedPayload offload(
            String queue, String body, Map<String, MessageAttribute> attributes, long bytes) {
        throw new UnsupportedOperationException("Nothing is sent");
    }

    @Override
    public Map<OffloadedPayload, PayloadStoreException> upload(String queue, List<OffloadedPayload> payloads) {
        throw new UnsupportedOperationException("Nothing is sent");
    }

    @Override
    public void discard(String queue, List<OffloadedPayload> payloads) {
        throw new UnsupportedOperationException("Nothing is sent");
    }
}
