/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes received messages as SQS does. */
final class MessageText {

    private static final String SENDER = "AIDAIENQZJOLO23YVJ4VO";

    private MessageText() {}

    static void write(JsonText out, List<StoredMessage> messages, Wanted wanted) {
        if (messages.isEmpty()) {
            out.raw("{}");
            return;
        }
        out.raw("{\"Messages\":[");
        for (StoredMessage message : messages) {
            out.comma().raw("{\"MessageId\":\"").raw(message.id);
            out.raw("\",\"ReceiptHandle\":\"").raw(message.receiptHandle());
            out.raw("\",\"MD5OfBody\":\"").raw(message.bodyDigest);
            out.raw("\",\"Body\":\"").raw(message.body).raw("\"");
            if (wanted.wantsAnySystem()) {
                systemAttributes(out, message, wanted);
            }
            if (!message.attributes.isEmpty()) {
                messageAttributes(out, message, wanted);
            }
            out.raw("}");
        }
        out.raw("]}");
    }

    private static void systemAttributes(JsonText out, StoredMessage message, Wanted wanted) {
        out.raw(",\"Attributes\":{");
        if (wanted.wantsSystem("SenderId")) {
            out.field("SenderId", SENDER);
        }
        if (wanted.wantsSystem("SentTimestamp")) {
            number(out, "SentTimestamp", message.sentAt);
        }
        if (wanted.wantsSystem("ApproximateReceiveCount")) {
            number(out, "ApproximateReceiveCount", message.receives);
        }
        if (wanted.wantsSystem("ApproximateFirstReceiveTimestamp")) {
            number(out, "ApproximateFirstReceiveTimestamp", message.firstReceivedAt);
        }
        if (message.group != null && wanted.wantsSystem("MessageGroupId")) {
            out.field("MessageGroupId", message.group);
        }
        if (message.deduplicationId != null) {
            if (wanted.wantsSystem("MessageDeduplicationId")) {
                out.field("MessageDeduplicationId", message.deduplicationId);
            }
            if (wanted.wantsSystem("SequenceNumber")) {
                out.field("SequenceNumber", message.sequenceNumber());
            }
        }
        if (message.traceHeader != null && wanted.wantsSystem("AWSTraceHeader")) {
            out.field("AWSTraceHeader", message.traceHeader);
        }
        out.raw("}");
    }

    /** SQS quotes the numbers among the attributes. */
    private static void number(JsonText out, String name, long value) {
        out.comma().raw("\"").raw(name).raw("\":\"").raw(value).raw("\"");
    }

    private static void messageAttributes(JsonText out, StoredMessage message, Wanted wanted) {
        SortedMap<String, AttributeValue> asked = new TreeMap<>(message.attributes);
        asked.keySet().removeIf(name -> !wanted.wantsMessage(name));
        if (asked.isEmpty()) {
            return;
        }
        String digest = message.attributesDigest;
        out.field(
                "MD5OfMessageAttributes",
                digest == null || asked.size() < message.attributes.size() ? Digests.md5(asked) : digest);
        out.raw(",\"MessageAttributes\":{");
        for (Map.Entry<String, AttributeValue> attribute : asked.entrySet()) {
            AttributeValue value = attribute.getValue();
            out.comma().string(attribute.getKey()).raw(":{");
            out.field("DataType", value.dataType());
            out.field(value.binary() ? "BinaryValue" : "StringValue", value.value());
            out.raw("}");
        }
        out.raw("}");
    }
}
