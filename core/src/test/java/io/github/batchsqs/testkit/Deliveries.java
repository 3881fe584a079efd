/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Deliveries without a queue, for tests of single stages: received, held in a ledger, each with its permit. */
public final class Deliveries {

    private final TimeSource time;
    private final InFlightLimit limit = new InFlightLimit(Integer.MAX_VALUE, MessageMemory.unlimited());
    private final InFlightLedger ledger;

    private Deliveries(boolean fifo, Duration lease, TimeSource time) {
        this.time = time;
        this.ledger = new InFlightLedger(fifo, lease, limit, time, untracked -> {});
    }

    public static Deliveries standard(Duration lease, TimeSource time) {
        return new Deliveries(false, lease, time);
    }

    public static Deliveries fifo(Duration lease, TimeSource time) {
        return new Deliveries(true, lease, time);
    }

    /** One receive; a body such as {@code a-1} belongs to the group {@code a}. */
    public List<Delivery> receive(String... bodies) {
        List<ReceivedMessage> messages = new ArrayList<>();
        for (String body : bodies) {
            messages.add(new Message(body, 1));
        }
        return receive(messages);
    }

    /** One receive of so many messages. */
    public List<Delivery> receive(int count) {
        return receive(IntStream.range(0, count).mapToObj(i -> "m" + i).toArray(String[]::new));
    }

    /** One receive. */
    public List<Delivery> receive(List<? extends ReceivedMessage> messages) {
        int permits = limit.tryAcquire(messages.size());
        if (permits < messages.size()) {
            throw new IllegalStateException("no permits");
        }
        return ledger.receive(List.copyOf(messages), time.nanos(), Duration.ZERO)
                .toRun();
    }

    public InFlightLedger ledger() {
        return ledger;
    }

    public InFlightLimit limit() {
        return limit;
    }

    /** The bodies, in order. */
    public static List<String> bodies(List<Delivery> deliveries) {
        return deliveries.stream().map(delivery -> delivery.message().body()).toList();
    }

    /**
     * A message whose id is its body.
     *
     * @param receiveCount part of its handle
     */
    public record Message(String body, int receiveCount) implements ReceivedMessage {

        @Override
        public String id() {
            return body;
        }

        @Override
        public String receiptHandle() {
            return body + "/" + receiveCount;
        }

        @Override
        public Map<String, MessageAttribute> attributes() {
            return Map.of();
        }

        @Override
        public Map<String, String> systemAttributes() {
            return Map.of(
                    "MessageGroupId",
                    body.substring(0, Math.max(1, body.indexOf('-'))),
                    "MessageDeduplicationId",
                    "dedup-" + body,
                    "SequenceNumber",
                    "7",
                    "SentTimestamp",
                    "0");
        }

        @Override
        public Object nativeMessage() {
            return this;
        }
    }
}
