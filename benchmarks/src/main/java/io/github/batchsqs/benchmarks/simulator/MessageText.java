/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.Stored;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Writes received messages as SQS does. */
final class MessageText {

    private static final String SENDER = "AIDAIENQZJOLO23YVJ4VO";

    private MessageText() {}

    static void write(JsonText out, List<Received<Content>> messages, Wanted wanted) {
        if (messages.isEmpty()) {
            out.raw("{}");
            return;
        }
        out.raw("{\"Messages\":[");
        for (Received<Content> received : messages) {
            Content content = received.message().payload();
            out.comma().raw("{\"MessageId\":\"").raw(received.message().id());
            out.raw("\",\"ReceiptHandle\":\"").raw(received.receiptHandle());
            out.raw("\",\"MD5OfBody\":\"").raw(content.bodyDigest());
            out.raw("\",\"Body\":\"").raw(content.body()).raw("\"");
            if (wanted.wantsAnySystem()) {
                systemAttributes(out, received, wanted);
            }
            if (!content.attributes().isEmpty()) {
                messageAttributes(out, content, wanted);
            }
            out.raw("}");
        }
        out.raw("]}");
    }

    private static void systemAttributes(JsonText out, Received<Content> received, Wanted wanted) {
        Stored<Content> message = received.message();
        out.raw(",\"Attributes\":{");
        if (wanted.wantsSystem("SenderId")) {
            out.field("SenderId", SENDER);
        }
        if (wanted.wantsSystem("SentTimestamp")) {
            number(out, "SentTimestamp", TimeUnit.NANOSECONDS.toMillis(message.sentAt()));
        }
        if (wanted.wantsSystem("ApproximateReceiveCount")) {
            number(out, "ApproximateReceiveCount", received.receiveCount());
        }
        if (wanted.wantsSystem("ApproximateFirstReceiveTimestamp")) {
            number(out, "ApproximateFirstReceiveTimestamp", TimeUnit.NANOSECONDS.toMillis(message.firstReceivedAt()));
        }
        if (message.group() != null && wanted.wantsSystem("MessageGroupId")) {
            out.field("MessageGroupId", message.group());
        }
        if (message.deduplicationId() != null) {
            if (wanted.wantsSystem("MessageDeduplicationId")) {
                out.field("MessageDeduplicationId", message.deduplicationId());
            }
            if (wanted.wantsSystem("SequenceNumber")) {
                out.field("SequenceNumber", message.sequenceNumber());
            }
        }
        if (message.payload().traceHeader() != null && wanted.wantsSystem("AWSTraceHeader")) {
            out.field("AWSTraceHeader", message.payload().traceHeader());
        }
        if (message.deadLetterSource() != null && wanted.wantsSystem("DeadLetterQueueSourceArn")) {
            out.field("DeadLetterQueueSourceArn", Queues.arn(message.deadLetterSource()));
        }
        out.raw("}");
    }

    /** SQS quotes the numbers among the attributes. */
    private static void number(JsonText out, String name, long value) {
        out.comma().raw("\"").raw(name).raw("\":\"").raw(value).raw("\"");
    }

    private static void messageAttributes(JsonText out, Content content, Wanted wanted) {
        SortedMap<String, AttributeValue> asked = new TreeMap<>(content.attributes());
        asked.keySet().removeIf(name -> !wanted.wantsMessage(name));
        if (asked.isEmpty()) {
            return;
        }
        String digest = content.attributesDigest();
        out.field(
                "MD5OfMessageAttributes",
                digest == null || asked.size() < content.attributes().size() ? Digests.md5(asked) : digest);
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
