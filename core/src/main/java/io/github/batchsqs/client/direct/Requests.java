/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.direct;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.client.sdk.support.RequestRules;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes the bodies of requests: AWS JSON 1.0. */
final class Requests {

    private static final JsonFactory JSON = new JsonFactory();

    private Requests() {}

    static byte[] receive(ReceiveCall call) {
        return write(256, call.queue(), json -> {
            json.writeArrayPropertyStart("MessageSystemAttributeNames");
            json.writeString("All");
            json.writeEndArray();
            json.writeArrayPropertyStart("MessageAttributeNames");
            json.writeString("All");
            json.writeEndArray();
            json.writeNumberProperty("MaxNumberOfMessages", call.maxMessages());
            if (call.visibilityTimeout() != null) {
                json.writeNumberProperty("VisibilityTimeout", RequestRules.wholeSeconds(call.visibilityTimeout()));
            }
            json.writeNumberProperty("WaitTimeSeconds", RequestRules.wholeSeconds(call.waitTime()));
            writeIfAny(json, "ReceiveRequestAttemptId", call.attemptId());
        });
    }

    static byte[] delete(Queue queue, List<String> receiptHandles) {
        return write(4_096, queue, json -> {
            json.writeArrayPropertyStart("Entries");
            for (int i = 0; i < receiptHandles.size(); i++) {
                json.writeStartObject();
                json.writeStringProperty("Id", RequestRules.id(i));
                json.writeStringProperty("ReceiptHandle", receiptHandles.get(i));
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    static byte[] changeVisibility(Queue queue, List<VisibilityChange> changes) {
        return write(4_096, queue, json -> {
            json.writeArrayPropertyStart("Entries");
            for (int i = 0; i < changes.size(); i++) {
                VisibilityChange change = changes.get(i);
                json.writeStartObject();
                json.writeStringProperty("Id", RequestRules.id(i));
                json.writeStringProperty("ReceiptHandle", change.receiptHandle());
                json.writeNumberProperty("VisibilityTimeout", RequestRules.wholeSeconds(change.timeout()));
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    static byte[] send(Queue queue, List<SendEntry> entries) {
        int size = 256;
        for (SendEntry entry : entries) {
            size += 128 + entry.body().length();
        }
        return write(size, queue, json -> {
            json.writeArrayPropertyStart("Entries");
            for (int i = 0; i < entries.size(); i++) {
                json.writeStartObject();
                json.writeStringProperty("Id", RequestRules.id(i));
                writeEntry(json, entries.get(i));
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static void writeEntry(JsonGenerator json, SendEntry entry) {
        json.writeStringProperty("MessageBody", entry.body());
        if (entry.delay() != null) {
            json.writeNumberProperty("DelaySeconds", RequestRules.wholeSeconds(entry.delay()));
        }
        if (!entry.attributes().isEmpty()) {
            json.writeObjectPropertyStart("MessageAttributes");
            for (Map.Entry<String, MessageAttribute> attribute :
                    entry.attributes().entrySet()) {
                writeAttribute(json, attribute.getKey(), attribute.getValue());
            }
            json.writeEndObject();
        }
        if (entry.traceHeader() != null) {
            json.writeObjectPropertyStart("MessageSystemAttributes");
            writeAttribute(json, "AWSTraceHeader", MessageAttribute.string(entry.traceHeader()));
            json.writeEndObject();
        }
        writeIfAny(json, "MessageDeduplicationId", entry.deduplicationId());
        writeIfAny(json, "MessageGroupId", entry.groupId());
    }

    private static void writeAttribute(JsonGenerator json, String name, MessageAttribute attribute) {
        json.writeObjectPropertyStart(name);
        if (attribute.isBinary()) {
            json.writeBinaryProperty("BinaryValue", attribute.binaryValue());
        } else {
            json.writeStringProperty("StringValue", attribute.stringValue());
        }
        json.writeStringProperty("DataType", attribute.dataType());
        json.writeEndObject();
    }

    private static void writeIfAny(JsonGenerator json, String name, @Nullable String value) {
        if (value != null) {
            json.writeStringProperty(name, value);
        }
    }

    private static byte[] write(int size, Queue queue, Members members) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(size);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes, JsonEncoding.UTF8)) {
            json.writeStartObject();
            json.writeStringProperty("QueueUrl", queue.url());
            members.write(json);
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private interface Members {
        void write(JsonGenerator json);
    }
}
