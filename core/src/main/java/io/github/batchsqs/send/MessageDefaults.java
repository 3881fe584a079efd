/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SqsLimits;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of a template for messages and receives that name none.
 *
 * @param queue the name, URL or ARN of the queue for which {@link BatchSqsOperations#DEFAULT_QUEUE} stands, or {@code null} if
 *     every message and receive must name its queue
 * @param attributes message attributes to add to each message that does not have them. They count among its ten
 *     attributes and towards its size
 */
public record MessageDefaults(@Nullable String queue, Map<String, MessageAttribute> attributes) {

    private static final String NO_QUEUE =
            "There is no default queue: name the queue, or set default-queue (batchsqs.sender.default-queue)";

    /** No default queue and no attributes. */
    public static final MessageDefaults NONE = new MessageDefaults(null, Map.of());

    /**
     * Checks and copies the values.
     *
     * @throws InvalidOptionException if a value breaks its rule
     */
    public MessageDefaults {
        Check.that(
                queue == null || !queue.isBlank(),
                "default-queue",
                "must not be blank",
                "'" + queue + "'",
                "name a queue, or remove it");
        attributes = Map.copyOf(attributes);
        Check.that(
                attributes.size() <= SqsLimits.MAX_ATTRIBUTES,
                "default-attributes",
                "must be at most " + SqsLimits.MAX_ATTRIBUTES + ", because SQS takes no more of a message",
                attributes.size(),
                "leave some out");
        attributes.forEach(MessageDefaults::requireValid);
    }

    private static void requireValid(String name, MessageAttribute value) {
        String broken = MessageRules.attribute(name, value);
        Check.that(
                broken == null,
                "default-attributes",
                "must be attributes that SQS takes: '" + name + "' " + broken,
                value.dataType(),
                "change it, or leave it out");
    }

    /**
     * {@return these values with another queue}
     *
     * @param value the queue's name, URL or ARN, or {@code null} for none
     */
    public MessageDefaults withQueue(@Nullable String value) {
        return new MessageDefaults(value, attributes);
    }

    /**
     * {@return these values with one attribute more}
     *
     * @param name the attribute's name
     * @param value the attribute
     */
    public MessageDefaults withAttribute(String name, MessageAttribute value) {
        Map<String, MessageAttribute> all = new LinkedHashMap<>(attributes);
        all.put(name, value);
        return new MessageDefaults(queue, all);
    }

    /**
     * Returns the message with these values where it has none.
     *
     * @throws SendFailedException if it names no queue, and there is no default
     */
    OutgoingMessage complete(OutgoingMessage message) {
        boolean named = !message.queue().equals(BatchSqsOperations.DEFAULT_QUEUE);
        if (named && attributes.isEmpty()) {
            return message;
        }
        OutgoingMessage.Builder complete = message.toBuilder();
        if (!named) {
            if (queue == null) {
                throw SendFailedException.before(message, SendFailedException.INVALID_MESSAGE, NO_QUEUE, false, null);
            }
            complete.queue(queue);
        }
        return complete.attributes(attributes).attributes(message.attributes()).build();
    }

    /**
     * Returns the queue of a receive.
     *
     * @throws IllegalArgumentException if the receive names none, and there is no default
     */
    String queueOf(String named) {
        if (!named.equals(BatchSqsOperations.DEFAULT_QUEUE)) {
            return named;
        }
        if (queue == null) {
            throw new IllegalArgumentException(NO_QUEUE);
        }
        return queue;
    }
}
