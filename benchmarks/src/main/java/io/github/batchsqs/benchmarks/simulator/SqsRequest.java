/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of any request. Filled while it is read. */
final class SqsRequest {

    String queueName = "";
    int maxMessages = 1;
    int waitSeconds = -1;

    @Nullable
    String attemptId;

    final Map<String, String> queueAttributes = new HashMap<>();
    final Wanted wanted = new Wanted();
    final List<Entry> entries = new ArrayList<>(10);

    /** The message that the request itself carries, if it is none of a batch. */
    final Entry single = new Entry();

    static SqsRequest read(byte[] body) {
        SqsRequest request = new SqsRequest();
        if (body.length > 0) {
            JsonScanner json = new JsonScanner(body);
            json.object(name -> request.read(name, json));
        }
        return request;
    }

    private void read(String name, JsonScanner json) {
        switch (name) {
            case "QueueUrl", "QueueName" -> {
                String value = json.string();
                queueName = value.substring(value.lastIndexOf('/') + 1);
            }
            case "MaxNumberOfMessages" -> maxMessages = json.integer();
            case "WaitTimeSeconds" -> waitSeconds = json.integer();
            case "ReceiveRequestAttemptId" -> attemptId = json.string();
            case "AttributeNames", "MessageSystemAttributeNames" -> json.array(() -> wanted.system(json.string()));
            case "MessageAttributeNames" -> json.array(() -> wanted.message(json.string()));
            case "Attributes" -> json.object(key -> queueAttributes.put(key, json.string()));
            case "Entries" -> json.array(() -> entries.add(Entry.read(json)));
            default -> {
                if (!single.read(name, json)) {
                    json.skip();
                }
            }
        }
    }
}
