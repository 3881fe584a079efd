/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One message of a request: the only one, or one of a batch. Filled while the request is read. */
final class Entry {

    String id = "";
    byte[] body = {};
    String receiptHandle = "";
    int visibilityTimeout = -1;
    int delaySeconds = -1;

    @Nullable
    String group;

    @Nullable
    String deduplicationId;

    final SortedMap<String, AttributeValue> attributes = new TreeMap<>();
    final SortedMap<String, AttributeValue> systemAttributes = new TreeMap<>();

    static Entry read(JsonScanner json) {
        Entry entry = new Entry();
        json.object(name -> {
            if (!entry.read(name, json)) {
                json.skip();
            }
        });
        return entry;
    }

    /** Consumes the value if the name is one of a message. */
    boolean read(String name, JsonScanner json) {
        switch (name) {
            case "Id" -> id = json.string();
            case "MessageBody" -> body = json.rawString();
            case "ReceiptHandle" -> receiptHandle = json.string();
            case "VisibilityTimeout" -> visibilityTimeout = json.integer();
            case "DelaySeconds" -> delaySeconds = json.integer();
            case "MessageGroupId" -> group = json.string();
            case "MessageDeduplicationId" -> deduplicationId = json.string();
            case "MessageAttributes" -> json.object(key -> attributes.put(key, AttributeValue.read(json)));
            case "MessageSystemAttributes" -> json.object(key -> systemAttributes.put(key, AttributeValue.read(json)));
            default -> {
                return false;
            }
        }
        return true;
    }
}
