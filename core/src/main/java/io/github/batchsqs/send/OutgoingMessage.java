/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.MessageAttribute;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message to send. Immutable, apart from its payload, which is written when the message is sent.
 *
 * <p>Its parts are checked when it is sent, since most of their rules depend on the queue.
 */
public final class OutgoingMessage {

    private final String queue;
    private final Object payload;
    private final Map<String, MessageAttribute> attributes;
    private final @Nullable Duration delay;
    private final @Nullable String groupId;
    private final @Nullable String deduplicationId;
    private final @Nullable String traceHeader;

    private OutgoingMessage(Builder from) {
        this.queue = from.queue;
        this.payload = from.payload;
        this.attributes = Map.copyOf(from.attributes);
        this.delay = from.delay;
        this.groupId = from.groupId;
        this.deduplicationId = from.deduplicationId;
        this.traceHeader = from.traceHeader;
    }

    /** A message with nothing but a payload. */
    public static OutgoingMessage of(String queue, Object payload) {
        return builder(queue, payload).build();
    }

    /**
     * Starts a message.
     *
     * @param queue a name, URL or ARN
     * @param payload what the codec writes as its body
     */
    public static Builder builder(String queue, Object payload) {
        return new Builder(queue, payload);
    }

    /** A builder that starts from this message. */
    public Builder toBuilder() {
        Builder builder = new Builder(queue, payload);
        builder.attributes.putAll(attributes);
        builder.delay = delay;
        builder.groupId = groupId;
        builder.deduplicationId = deduplicationId;
        builder.traceHeader = traceHeader;
        return builder;
    }

    /** The queue's name, URL or ARN. */
    public String queue() {
        return queue;
    }

    /** What the codec writes as the body. */
    public Object payload() {
        return payload;
    }

    /** The message attributes by name, at most ten. */
    public Map<String, MessageAttribute> attributes() {
        return attributes;
    }

    /** How long SQS hides the message at first; {@code null} for the queue's own delay. */
    public @Nullable Duration delay() {
        return delay;
    }

    /** The message group. */
    public @Nullable String groupId() {
        return groupId;
    }

    /** The deduplication id, if the caller gave one. */
    public @Nullable String deduplicationId() {
        return deduplicationId;
    }

    /** The {@code AWSTraceHeader} system attribute. */
    public @Nullable String traceHeader() {
        return traceHeader;
    }

    /** The queue and the group, never the payload: it may be confidential. */
    @Override
    public String toString() {
        return "OutgoingMessage[queue=" + queue + (groupId == null ? "" : ", groupId=" + groupId) + "]";
    }

    /** Collects a message's parts. */
    public static final class Builder {

        private String queue;
        private Object payload;
        private final Map<String, MessageAttribute> attributes = new LinkedHashMap<>();
        private @Nullable Duration delay;
        private @Nullable String groupId;
        private @Nullable String deduplicationId;
        private @Nullable String traceHeader;

        private Builder(String queue, Object payload) {
            this.queue = Objects.requireNonNull(queue, "queue");
            this.payload = Objects.requireNonNull(payload, "payload");
        }

        /** The queue's name, URL or ARN. */
        public Builder queue(String value) {
            queue = Objects.requireNonNull(value, "queue");
            return this;
        }

        /** What the codec writes as the body. */
        public Builder payload(Object value) {
            payload = Objects.requireNonNull(value, "payload");
            return this;
        }

        /** Adds a message attribute, or replaces the one of that name. */
        public Builder attribute(String name, MessageAttribute value) {
            attributes.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /** Adds an attribute of type {@code String}. */
        public Builder attribute(String name, String value) {
            return attribute(name, MessageAttribute.string(value));
        }

        /** Adds an attribute of type {@code Number}. */
        public Builder attribute(String name, Number value) {
            return attribute(name, MessageAttribute.number(value));
        }

        /** Adds an attribute of type {@code Binary}; the bytes are copied. */
        public Builder attribute(String name, byte[] value) {
            return attribute(name, MessageAttribute.binary(value));
        }

        /** Adds message attributes. */
        public Builder attributes(Map<String, MessageAttribute> values) {
            values.forEach(this::attribute);
            return this;
        }

        /** How long SQS hides the message at first, 0 to 900 s; sent in whole seconds, rounded up. Not on FIFO queues. */
        public Builder delay(@Nullable Duration value) {
            delay = value;
            return this;
        }

        /**
         * The message group, 1 to 128 characters. FIFO queues demand one and keep its order; on a standard queue it names a
         * tenant of a fair queue and orders nothing.
         */
        public Builder groupId(@Nullable String value) {
            groupId = value;
            return this;
        }

        /** The deduplication id, 1 to 128 characters; wins over the sender's strategy. Only on FIFO queues. */
        public Builder deduplicationId(@Nullable String value) {
            deduplicationId = value;
            return this;
        }

        /** The {@code AWSTraceHeader} system attribute; does not count towards the message's size. */
        public Builder traceHeader(@Nullable String value) {
            traceHeader = value;
            return this;
        }

        /** The message. */
        public OutgoingMessage build() {
            return new OutgoingMessage(this);
        }
    }
}
