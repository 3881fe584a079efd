/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the deduplication ids of messages to FIFO queues come from. An id that a message brings itself always wins.
 *
 * <p>SQS drops a message whose id it saw in the last five minutes, wherever that message is by then, and answers as if it
 * had taken it. By default it compares over the whole queue, not within a group. A message keeps its id over all retries,
 * so that none of them is delivered twice.
 *
 * <p>Called by the thread that sends.
 */
@FunctionalInterface
public interface DeduplicationIds {

    /**
     * The id of a message.
     *
     * @param body the payload as it is sent
     * @return 1 to 128 letters, digits and punctuation of ASCII, or {@code null} to leave it to the queue
     */
    @Nullable
    String idOf(OutgoingMessage message, String body);

    /**
     * From group and content: SHA-256, in hex, over the group id and the body's canonical JSON (RFC 8785), so that a
     * {@code Map} and a record with equal content agree. Text that is no JSON object or array counts as it stands.
     *
     * <p><b>Two genuine events with the same content in the same group within five minutes are one message</b>, whatever
     * their attributes: "add one item", sent twice, adds one. Give such events something of their own (an id, a time), or use
     * {@link #key}. Numbers that differ only beyond what a double holds do make a difference here, unlike in the RFC.
     */
    static DeduplicationIds content() {
        return new ContentIds();
    }

    /**
     * From a business key, used as it is.
     *
     * <p><b>Messages with the same key within five minutes are one message</b>, whatever their content and group: a key that
     * names the order alone drops the order's second event. The key must name the event.
     *
     * @param extractor finds the key; to find none is an error
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
     * Left to the queue, which must have content-based deduplication: SHA-256 over the body as it stands, not over the
     * group.
     *
     * <p><b>Equal bodies within five minutes are one message, also in different groups.</b> Without content-based
     * deduplication the queue refuses messages without an id.
     */
    static DeduplicationIds queue() {
        return (message, body) -> null;
    }
}
