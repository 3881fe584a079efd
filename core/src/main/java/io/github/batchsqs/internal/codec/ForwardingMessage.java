/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message that forwards to another message; what is read from system attributes is read from those of the other. A subclass overrides
 * the methods that differ; a store of payloads overrides {@link #body()}, for example.
 */
public abstract class ForwardingMessage implements ReceivedMessage {

    private final ReceivedMessage message;

    /**
     * Forwards to a message.
     *
     * @param message the message
     */
    protected ForwardingMessage(ReceivedMessage message) {
        this.message = Objects.requireNonNull(message, "message");
    }

    /** {@return the message to which this one forwards} */
    public final ReceivedMessage original() {
        return message;
    }

    @Override
    public String id() {
        return message.id();
    }

    @Override
    public String receiptHandle() {
        return message.receiptHandle();
    }

    @Override
    public String body() {
        return message.body();
    }

    @Override
    public Map<String, MessageAttribute> attributes() {
        return message.attributes();
    }

    @Override
    public Map<String, String> systemAttributes() {
        return message.systemAttributes();
    }

    @Override
    public @Nullable String systemAttribute(String name) {
        return message.systemAttribute(name);
    }

    @Override
    public Object nativeMessage() {
        return message.nativeMessage();
    }

    /** Contains the id, never body and attributes: they may be confidential. */
    @Override
    public String toString() {
        return "ReceivedMessage[" + id() + "]";
    }
}
