/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.Utf8;
import io.github.batchsqs.send.OutgoingMessage;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules of SQS that can be checked before a message is sent. A message that breaks one fails alone and at once; found
 * by SQS, some of them would fail the whole call with nine innocent neighbours. An unpaired surrogate must not get as far
 * as SQS at all: in UTF-8 it becomes a question mark, and different bodies become equal.
 */
final class MessageRules {

    private static final int MAX_NAME = 256;
    private static final int MAX_ID = 128;
    private static final Duration MAX_DELAY = Duration.ofMinutes(15);
    private static final Pattern NAME =
            Pattern.compile("(?!(?i:aws|amazon)\\.)(?!.*\\.\\.)[A-Za-z0-9_-](?:[A-Za-z0-9_.-]{0,254}[A-Za-z0-9_-])?");
    private static final Pattern TEXT = Pattern.compile("(?:String|Number)(?:\\..+)?", Pattern.DOTALL);
    private static final Pattern BINARY = Pattern.compile("Binary(?:\\..+)?", Pattern.DOTALL);
    private static final Pattern VISIBLE = Pattern.compile("[!-~]*");

    private MessageRules() {}

    /** Returns the rule that the message breaks, with the remedy; {@code null} if it breaks none. */
    static @Nullable String violation(OutgoingMessage message, Queue queue) {
        String found = attributes(message.attributes());
        found = found != null ? found : delay(message.delay(), queue);
        found = found != null ? found : group(message.groupId(), queue);
        String id = message.deduplicationId();
        if (found == null && id != null && !queue.fifo()) {
            return "A deduplication id is only for FIFO queues; remove it";
        }
        return found != null ? found : deduplicationId(id);
    }

    /** Returns the rule that a deduplication id breaks, whether the sender set or generated it; {@code null} if none. */
    static @Nullable String deduplicationId(@Nullable String id) {
        return id == null ? null : id("deduplication id", id);
    }

    /** Returns the rule that the body breaks, whatever its size; {@code null} if none. */
    static @Nullable String body(String body) {
        if (body.isEmpty()) {
            return "The body is empty, and SQS takes none of less than a byte";
        }
        String found = characters(body);
        return found == null ? null : "The body has " + found;
    }

    /** Returns the rule that the size breaks; {@code null} if none. */
    static @Nullable String size(long bytes) {
        return bytes <= SqsLimits.MAX_BYTES
                ? null
                : "It has " + bytes + " bytes (body, attribute names, types and values), but the maximum is "
                        + Check.bytes(SqsLimits.MAX_BYTES)
                        + "; make it smaller, or store payloads in S3 with the module batchsqs-spring-boot-s3";
    }

    /** Returns the size in bytes as SQS counts it: body, and names, types and values of the attributes, in UTF-8. */
    static long bytes(Map<String, MessageAttribute> attributes, String body) {
        long bytes = Utf8.length(body);
        for (Map.Entry<String, MessageAttribute> each : attributes.entrySet()) {
            bytes += each.getValue().sizeInBytes(each.getKey());
        }
        return bytes;
    }

    /** Returns the rule that the attributes break, with the remedy; {@code null} if they break none. */
    static @Nullable String attributes(Map<String, MessageAttribute> attributes) {
        if (attributes.size() > SqsLimits.MAX_ATTRIBUTES) {
            return "It has " + attributes.size() + " attributes, but SQS takes at most " + SqsLimits.MAX_ATTRIBUTES
                    + "; leave some out";
        }
        for (Map.Entry<String, MessageAttribute> each : attributes.entrySet()) {
            String found = attribute(each.getKey(), each.getValue());
            if (found != null) {
                return "The attribute '" + each.getKey() + "' " + found;
            }
        }
        return null;
    }

    /** Returns the rule that an attribute breaks, to follow its name; {@code null} if it breaks none. */
    private static @Nullable String attribute(String name, MessageAttribute value) {
        if (!NAME.matcher(name).matches()) {
            return "must have a name of 1 to " + MAX_NAME
                    + " characters from A-Z a-z 0-9 _ - . that does not begin or end"
                    + " with a dot, has no two dots in a row, and does not begin with AWS. or Amazon.; rename it";
        }
        String type = value.dataType();
        if (type.length() > MAX_NAME
                || !(value.isBinary() ? BINARY : TEXT).matcher(type).matches()) {
            return "has the data type '" + type
                    + "', but must have String or Number for text and Binary for bytes, with a"
                    + " label after a dot if wanted, of at most " + MAX_NAME + " characters in all";
        }
        boolean empty = value.isBinary()
                ? value.binaryValue().length == 0
                : value.stringValue().isEmpty();
        if (empty) {
            return "has no value, but SQS demands one; leave the attribute out";
        }
        String found = value.isBinary() ? null : characters(value.stringValue());
        return found == null ? null : "has " + found;
    }

    /** Returns the first character of a text that SQS refuses, with its position; {@code null} if there is none. */
    static @Nullable String characters(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' ? c != '\t' && c != '\n' && c != '\r' : Character.isSurrogate(c) || c > 0xFFFD) {
                boolean pair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    return String.format(
                            Locale.ROOT,
                            "the character U+%04X at index %d (%s), which SQS refuses; remove it, or encode the text, for"
                                    + " example in Base64",
                            (int) c,
                            i,
                            Character.isSurrogate(c) ? "an unpaired surrogate" : "a control character or no character");
                }
                i++;
            }
        }
        return null;
    }

    private static @Nullable String delay(@Nullable Duration delay, Queue queue) {
        if (delay == null) {
            return null;
        }
        if (queue.fifo()) {
            return "A FIFO queue takes no delay per message; set the delay of the queue";
        }
        return delay.isNegative() || delay.compareTo(MAX_DELAY) > 0
                ? "The delay is " + delay.toSeconds() + "s, but must be between 0s and " + MAX_DELAY.toSeconds() + "s"
                : null;
    }

    private static @Nullable String group(@Nullable String group, Queue queue) {
        if (group != null) {
            return id("group id", group);
        }
        return queue.fifo()
                ? "A FIFO queue demands a group id, which decides what stays in order; set one, for example the id of the"
                        + " entity that the message is about"
                : null;
    }

    private static @Nullable String id(String what, String id) {
        if (id.isEmpty() || id.length() > MAX_ID) {
            return "The " + what + " has " + id.length() + " characters, but must have 1 to " + MAX_ID;
        }
        return VISIBLE.matcher(id).matches()
                ? null
                : "The " + what + " has characters other than the letters, digits and punctuation of ASCII";
    }
}
