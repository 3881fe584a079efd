/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.sdk.RequestRules;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes the bodies of requests: AWS JSON 1.0. A writer that fails is garbage. */
final class Requests {

    private Requests() {}

    static JsonWriter receive(ReceiveCall call) {
        return write(call.queue(), json -> {
            json.raw(
                            ",\"MessageSystemAttributeNames\":[\"All\"],\"MessageAttributeNames\":[\"All\"],\"MaxNumberOfMessages\":")
                    .number(call.maxMessages());
            if (call.visibilityTimeout() != null) {
                json.raw(",\"VisibilityTimeout\":").number(RequestRules.wholeSeconds(call.visibilityTimeout()));
            }
            json.raw(",\"WaitTimeSeconds\":").number(RequestRules.wholeSeconds(call.waitTime()));
            writeIfAny(json, ",\"ReceiveRequestAttemptId\":", call.attemptId());
        });
    }

    static JsonWriter delete(Queue queue, List<String> receiptHandles) {
        return writeEntries(
                queue,
                receiptHandles,
                (json, handle) -> json.raw(",\"ReceiptHandle\":").text(handle));
    }

    static JsonWriter changeVisibility(Queue queue, List<VisibilityChange> changes) {
        return writeEntries(
                queue,
                changes,
                (json, change) -> json.raw(",\"ReceiptHandle\":")
                        .text(change.receiptHandle())
                        .raw(",\"VisibilityTimeout\":")
                        .number(RequestRules.wholeSeconds(change.timeout())));
    }

    static JsonWriter send(Queue queue, List<SendEntry> entries) {
        return writeEntries(queue, entries, Requests::writeEntry);
    }

    private static void writeEntry(JsonWriter json, SendEntry entry) {
        json.raw(",\"MessageBody\":").text(entry.body());
        if (entry.delay() != null) {
            json.raw(",\"DelaySeconds\":").number(RequestRules.wholeSeconds(entry.delay()));
        }
        if (!entry.attributes().isEmpty()) {
            String before = ",\"MessageAttributes\":{";
            for (Map.Entry<String, MessageAttribute> attribute :
                    entry.attributes().entrySet()) {
                writeAttribute(json.raw(before), attribute.getKey(), attribute.getValue());
                before = ",";
            }
            json.raw("}");
        }
        writeIfAny(json, ",\"MessageDeduplicationId\":", entry.deduplicationId());
        writeIfAny(json, ",\"MessageGroupId\":", entry.groupId());
    }

    private static void writeAttribute(JsonWriter json, String name, MessageAttribute attribute) {
        json.text(name);
        if (attribute.isBinary()) {
            json.raw(":{\"BinaryValue\":").base64(attribute.binaryValue());
        } else {
            json.raw(":{\"StringValue\":").text(attribute.stringValue());
        }
        json.raw(",\"DataType\":").text(attribute.dataType()).raw("}");
    }

    private static void writeIfAny(JsonWriter json, String name, @Nullable String value) {
        if (value != null) {
            json.raw(name).text(value);
        }
    }

    private static <T> JsonWriter writeEntries(Queue queue, List<T> entries, BiConsumer<JsonWriter, T> members) {
        return write(queue, json -> {
            String before = ",\"Entries\":[{\"Id\":\"";
            for (int i = 0; i < entries.size(); i++) {
                json.raw(before).raw(RequestRules.id(i)).raw("\"");
                members.accept(json, entries.get(i));
                before = "},{\"Id\":\"";
            }
            json.raw("}]");
        });
    }

    /** Writes an object of the queue's URL and what follows it. */
    private static JsonWriter write(Queue queue, Consumer<JsonWriter> members) {
        JsonWriter json = JsonWriter.take();
        json.raw("{\"QueueUrl\":").text(queue.url());
        members.accept(json);
        return json.raw("}");
    }
}
