/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.model.sqs.Payload;
import io.github.batchsqs.model.sqs.Received;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message of a {@link SimulatedQueue}, and what has become of it. Times are nanoseconds of the simulation. */
final class SimulatedMessage implements Payload {

    final String id;
    final long arrivedAt;
    private final Instant sentAt;
    private final Map<String, String> attributes;

    /** How often a handler began it, and whether one has ended. */
    int runs;

    boolean handled;

    SimulatedMessage(long number, long arrivedAt, Instant sentAt) {
        this.id = Long.toString(number);
        this.arrivedAt = arrivedAt;
        this.sentAt = sentAt;
        this.attributes = Map.of("SentTimestamp", Long.toString(sentAt.toEpochMilli()));
    }

    @Override
    public long bytes() {
        return id.length();
    }

    @Override
    public int attributeCount() {
        return 0;
    }

    @Override
    public boolean emptyBody() {
        return false;
    }

    @Override
    public boolean acceptedCharacters() {
        return true;
    }

    @Override
    public String contentHash() {
        return id;
    }

    /** One receive of a message. */
    record Delivery(Received<SimulatedMessage> received) implements ReceivedMessage {

        SimulatedMessage message() {
            return received.message().payload();
        }

        @Override
        public String receiptHandle() {
            return received.receiptHandle();
        }

        @Override
        public int receiveCount() {
            return received.receiveCount();
        }

        @Override
        public String id() {
            return message().id;
        }

        @Override
        public String body() {
            return message().id;
        }

        @Override
        public Map<String, MessageAttribute> attributes() {
            return Map.of();
        }

        @Override
        public Map<String, String> systemAttributes() {
            return message().attributes;
        }

        @Override
        public Instant sentAt() {
            return message().sentAt;
        }

        @Override
        public @Nullable String groupId() {
            return null;
        }

        @Override
        public Object nativeMessage() {
            return this;
        }
    }
}
