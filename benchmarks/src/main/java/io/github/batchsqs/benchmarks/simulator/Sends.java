/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of sending. */
final class Sends {

    private final World world;

    Sends(World world) {
        this.world = world;
    }

    /** What makes the whole call fail. */
    void requireValid(SimulatedQueue queue, List<Entry> entries) {
        long bytes = 0;
        for (Entry entry : entries) {
            bytes += entry.bytes(JsonScanner.unescape(entry.body));
            if (queue.fifo() && entry.group == null) {
                throw SqsError.sender("MissingParameter", "The request must contain the parameter MessageGroupId.");
            }
            if (queue.fifo()
                    && entry.deduplicationId == null
                    && !queue.settings().contentBased()) {
                throw SqsError.invalidParameter("The queue should either have ContentBasedDeduplication enabled or"
                        + " MessageDeduplicationId provided explicitly");
            }
        }
        if (bytes > QueueSettings.MAX_BYTES) {
            throw SqsError.sender(
                    "AWS.SimpleQueueService.BatchRequestTooLong",
                    "Batch requests cannot be longer than 1048576 bytes. You have sent " + bytes + " bytes.");
        }
    }

    /** Accepts one message and adds the fields of its result; fails that message alone. */
    void send(SimulatedQueue queue, Entry entry, JsonText out, long now) {
        byte[] utf8 = JsonScanner.unescape(entry.body);
        if (!legal(utf8)) {
            throw SqsError.sender(
                    "InvalidMessageContents",
                    "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | ...");
        }
        if (entry.bytes(utf8) > queue.settings().maximumBytes()) {
            throw SqsError.invalidParameter("One or more parameters are invalid. Reason: Message must be shorter than "
                    + queue.settings().maximumBytes() + " bytes.");
        }
        if (utf8.length == 0) {
            throw SqsError.sender("MissingParameter", "The request must contain the parameter MessageBody.");
        }
        String digest = Digests.md5(utf8);
        StoredMessage message = queue.send(entry, digest, dedupId(queue, entry, utf8), now);
        world.counters.sent(queue.name());
        out.comma().raw("\"MessageId\":\"").raw(message.id);
        out.raw("\",\"MD5OfMessageBody\":\"").raw(digest).raw("\"");
        if (!entry.attributes.isEmpty()) {
            out.field("MD5OfMessageAttributes", Digests.md5(entry.attributes));
        }
        if (!entry.systemAttributes.isEmpty()) {
            out.field("MD5OfMessageSystemAttributes", Digests.md5(entry.systemAttributes));
        }
        if (queue.fifo()) {
            out.field("SequenceNumber", message.sequenceNumber());
        }
    }

    private static @Nullable String dedupId(SimulatedQueue queue, Entry entry, byte[] body) {
        if (!queue.fifo() || entry.deduplicationId != null) {
            return entry.deduplicationId;
        }
        return Digests.sha256(body);
    }

    /** Whether SQS takes these characters: no control characters but tab and line ends, and not U+FFFE and U+FFFF. */
    private static boolean legal(byte[] utf8) {
        for (int i = 0; i < utf8.length; i++) {
            byte b = utf8[i];
            if (b >= 0 && b < ' ' && b != '\t' && b != '\n' && b != '\r') {
                return false;
            }
            if (b == (byte) 0xEF && i + 2 < utf8.length && utf8[i + 1] == (byte) 0xBF && utf8[i + 2] >= (byte) 0xBE) {
                return false;
            }
        }
        return true;
    }
}
