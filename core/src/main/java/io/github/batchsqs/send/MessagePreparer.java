/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.codec.PayloadCodec;
import org.jspecify.annotations.Nullable;

/** Checks a message, writes its payload and makes its deduplication id; on the thread that sends. */
final class MessagePreparer {

    private final PayloadCodec codec;
    private final DeduplicationIds ids;
    private final long maxBytes;

    MessagePreparer(PayloadCodec codec, DeduplicationIds ids, long maxBytes) {
        this.codec = codec;
        this.ids = ids;
        this.maxBytes = maxBytes;
    }

    /**
     * The message, ready to be sent to the queue.
     *
     * @throws SendFailedException if it breaks a rule, or cannot be written
     */
    BufferedMessage prepare(OutgoingMessage message, Queue queue) {
        requireValid(message, MessageRules.violation(message, queue));
        String body = write(message);
        long bytes = MessageRules.bytes(message, body);
        requireValid(message, MessageRules.size(body, bytes, maxBytes));
        var entry = new SendEntry(
                body,
                message.attributes(),
                message.traceHeader(),
                message.delay(),
                message.groupId(),
                deduplicationId(message, body, queue));
        return new BufferedMessage(message, entry, bytes);
    }

    private String write(OutgoingMessage message) {
        try {
            return codec.write(message.payload());
        } catch (RuntimeException e) {
            throw SendFailedException.before(
                    message, SendFailedException.CONVERSION_FAILED, String.valueOf(e.getMessage()), false, e);
        }
    }

    private @Nullable String deduplicationId(OutgoingMessage message, String body, Queue queue) {
        if (!queue.fifo() || message.deduplicationId() != null) {
            return message.deduplicationId();
        }
        String made;
        try {
            made = ids.idOf(message, body);
        } catch (RuntimeException e) {
            throw SendFailedException.before(
                    message,
                    SendFailedException.INVALID_MESSAGE,
                    "No deduplication id could be made: " + e.getMessage(),
                    false,
                    e);
        }
        requireValid(message, MessageRules.deduplicationId(made));
        return made;
    }

    private static void requireValid(OutgoingMessage message, @Nullable String violation) {
        if (violation != null) {
            throw SendFailedException.before(message, SendFailedException.INVALID_MESSAGE, violation, false, null);
        }
    }
}
