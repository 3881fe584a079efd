/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.MessageAttribute;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message to send. Immutable, except its payload, which the codec writes when the message is sent.
 *
 * <p>Its values are checked when it is sent, because most of their rules depend on the queue. {@link #builder} sets them by name.
 *
 * @param queue the queue's name, URL or ARN
 * @param payload the object that the codec writes as the body
 * @param attributes the message attributes by name; SQS accepts at most ten
 * @param delay how long SQS hides the message at first; {@code null} for the queue's own delay
 * @param groupId the message group, or {@code null} for none
 * @param deduplicationId the deduplication id, or {@code null} for that of the sender's strategy
 * @param deliverAt when the outbox sends the message at the earliest; {@code null} for as soon as possible
 */
public record OutgoingMessage(
        String queue,
        Object payload,
        Map<String, MessageAttribute> attributes,
        @Nullable Duration delay,
        @Nullable String groupId,
        @Nullable String deduplicationId,
        @Nullable Instant deliverAt) {

    /** Copies the attributes. */
    public OutgoingMessage {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(payload, "payload");
        attributes = Map.copyOf(attributes);
    }

    /**
     * {@return a message with a payload and no other values}
     *
     * @param queue the queue's name, URL or ARN
     * @param payload the object that the codec writes as the body
     */
    public static OutgoingMessage of(String queue, Object payload) {
        return builder(queue, payload).build();
    }

    /**
     * {@return a builder of a message}
     *
     * @param queue a name, URL or ARN
     * @param payload the object that the codec writes as the body
     */
    public static Builder builder(String queue, Object payload) {
        return new Builder(queue, payload);
    }

    /** {@return a builder with the values of this message} */
    public Builder toBuilder() {
        Builder builder = new Builder(queue, payload);
        builder.attributes.putAll(attributes);
        builder.delay = delay;
        builder.groupId = groupId;
        builder.deduplicationId = deduplicationId;
        builder.deliverAt = deliverAt;
        return builder;
    }

    /** Returns the queue and the group, never the payload: it may be confidential. */
    @Override
    public String toString() {
        return "OutgoingMessage[queue=" + queue + (groupId == null ? "" : ", groupId=" + groupId) + "]";
    }

    /** Builds a message. Not safe for use by several threads. */
    public static final class Builder {

        private String queue;
        private Object payload;
        private final Map<String, MessageAttribute> attributes = new LinkedHashMap<>();
        private @Nullable Duration delay;
        private @Nullable String groupId;
        private @Nullable String deduplicationId;
        private @Nullable Instant deliverAt;

        private Builder(String queue, Object payload) {
            this.queue = Objects.requireNonNull(queue, "queue");
            this.payload = Objects.requireNonNull(payload, "payload");
        }

        /**
         * Sets the queue's name, URL or ARN.
         *
         * @param value the name, URL or ARN
         * @return this builder
         */
        public Builder queue(String value) {
            queue = Objects.requireNonNull(value, "queue");
            return this;
        }

        /**
         * Sets the object that the codec writes as the body.
         *
         * @param value the payload
         * @return this builder
         */
        public Builder payload(Object value) {
            payload = Objects.requireNonNull(value, "payload");
            return this;
        }

        /**
         * Adds a message attribute, or replaces the one of that name.
         *
         * @param name the attribute's name, as SQS permits it
         * @param value the attribute
         * @return this builder
         */
        public Builder attribute(String name, MessageAttribute value) {
            attributes.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /**
         * Adds an attribute of type {@code String}.
         *
         * @param name the attribute's name
         * @param value the text; not empty
         * @return this builder
         */
        public Builder attribute(String name, String value) {
            return attribute(name, MessageAttribute.string(value));
        }

        /**
         * Adds an attribute of type {@code Number}.
         *
         * @param name the attribute's name
         * @param value the number, written in plain decimal notation
         * @return this builder
         */
        public Builder attribute(String name, Number value) {
            return attribute(name, MessageAttribute.number(value));
        }

        /**
         * Adds an attribute of type {@code Binary}; the bytes are copied.
         *
         * @param name the attribute's name
         * @param value the bytes
         * @return this builder
         */
        public Builder attribute(String name, byte[] value) {
            return attribute(name, MessageAttribute.binary(value));
        }

        /**
         * Adds message attributes; they replace those of the same names.
         *
         * @param values the attributes by name
         * @return this builder
         */
        public Builder attributes(Map<String, MessageAttribute> values) {
            values.forEach(this::attribute);
            return this;
        }

        /**
         * Sets how long SQS hides the message at first, 0 to 900 s, rounded up to whole seconds. Not on FIFO queues.
         *
         * @param value the delay, or {@code null} for that of the queue
         * @return this builder
         */
        public Builder delay(@Nullable Duration value) {
            delay = value;
            return this;
        }

        /**
         * Sets the message group, 1 to 128 characters. A FIFO queue requires one and keeps its order; on a standard queue it
         * is the tenant of a fair queue, without order.
         *
         * @param value the group, or {@code null} for none
         * @return this builder
         */
        public Builder groupId(@Nullable String value) {
            groupId = value;
            return this;
        }

        /**
         * Sets the deduplication id, 1 to 128 characters; it overrides the sender's strategy. Only on FIFO queues.
         *
         * @param value the id, or {@code null} for that of the strategy
         * @return this builder
         */
        public Builder deduplicationId(@Nullable String value) {
            deduplicationId = value;
            return this;
        }

        /**
         * Sets when the message is sent at the earliest, any time ahead, also on FIFO queues. Only within a transaction with the outbox
         * ({@code batchsqs.sender.transactional: outbox}), whose row waits for that time; any other send is refused. Not together with
         * a delay. It is sent within about a second of that time, and takes its place in its message group then.
         *
         * @param value the time, or {@code null} for as soon as possible
         * @return this builder
         */
        public Builder deliverAt(@Nullable Instant value) {
            deliverAt = value;
            return this;
        }

        /** {@return the message} */
        public OutgoingMessage build() {
            return new OutgoingMessage(queue, payload, attributes, delay, groupId, deduplicationId, deliverAt);
        }
    }
}
