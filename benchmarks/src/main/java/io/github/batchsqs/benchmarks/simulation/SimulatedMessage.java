/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.ReceivedMessage;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message of a {@link SimulatedQueue}, and what has become of it. Times are nanoseconds of the simulation. */
final class SimulatedMessage {

    final String id;
    final long arrivedAt;
    private final Instant sentAt;
    private final Map<String, String> attributes;

    /** The receipt handle of its last receive. */
    String handle = "";

    int receives;
    boolean inFlight;
    boolean deleted;
    long visibleAt;

    /** How often a handler began it, and whether one has ended. */
    int runs;

    boolean handled;

    SimulatedMessage(long number, long arrivedAt, Instant sentAt) {
        this.id = Long.toString(number);
        this.arrivedAt = arrivedAt;
        this.sentAt = sentAt;
        this.attributes = Map.of("SentTimestamp", Long.toString(sentAt.toEpochMilli()));
    }

    /** Returns it as a receive brings it. */
    Received received() {
        return new Received(this, handle, receives);
    }

    /** One receive of a message. */
    record Received(SimulatedMessage message, String receiptHandle, int receiveCount) implements ReceivedMessage {

        @Override
        public String id() {
            return message.id;
        }

        @Override
        public String body() {
            return message.id;
        }

        @Override
        public Map<String, MessageAttribute> attributes() {
            return Map.of();
        }

        @Override
        public Map<String, String> systemAttributes() {
            return message.attributes;
        }

        @Override
        public Instant sentAt() {
            return message.sentAt;
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
