/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates the deduplication ids of messages to FIFO queues. The {@link OutgoingMessage#deduplicationId()} of a message
 * overrides it.
 *
 * <p>SQS drops a message whose id it received in the last five minutes, even if that message has been deleted since, and
 * responds as if it had accepted it. By default it compares the ids of the whole queue, not of a group. A message keeps its
 * id over all retries, so that it is not delivered twice.
 *
 * <p>Called by the thread that sends.
 */
@FunctionalInterface
public interface DeduplicationIds {

    /**
     * Returns the id of a message.
     *
     * @param message the message, with a group
     * @param body the payload as it is sent
     * @return 1 to 128 letters, digits and punctuation of ASCII, or {@code null} to leave it to the queue
     */
    @Nullable
    String idOf(OutgoingMessage message, String body);

    /**
     * {@return ids of group and content: SHA-256, in hex, over the group id and a canonical form of the body's JSON,
     * so that a {@code Map} and a record with equal content agree} Text that is no JSON object or array is used
     * unchanged.
     *
     * <p><b>Two genuine events with the same content in the same group within five minutes are one message</b>,
     * whatever their attributes: "add one item", sent twice, adds one. Add a distinct value to such events (an id, a
     * time), or use {@link #key}. Numbers are equal by their value ({@code 1.0} and {@code 1}), and different if any digit differs.
     */
    static DeduplicationIds content() {
        return ContentIds::idOf;
    }

    /**
     * {@return ids that are business keys}
     *
     * <p><b>Messages with the same key within five minutes are one message</b>, whatever their content and group: with
     * the order number as the key, the second event of an order is dropped. The key must identify the event.
     *
     * @param extractor returns the key of a message; {@code null} fails the message
     */
    static DeduplicationIds key(Function<? super OutgoingMessage, @Nullable String> extractor) {
        return (message, body) -> {
            String key = extractor.apply(message);
            if (key == null) {
                throw new IllegalArgumentException("The deduplication key of the message is null");
            }
            return key;
        };
    }

    /**
     * {@return no ids, for a queue that has content-based deduplication: SHA-256 over the unchanged body, not over the
     * group}
     *
     * <p><b>Equal bodies within five minutes are one message, also in different groups.</b> Without content-based
     * deduplication the queue refuses messages without an id.
     */
    static DeduplicationIds queue() {
        return (message, body) -> null;
    }
}
