/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What can be asked of SQS here. */
enum Operation {
    CREATE_QUEUE("CreateQueue"),
    GET_QUEUE_URL("GetQueueUrl"),
    GET_QUEUE_ATTRIBUTES("GetQueueAttributes"),
    SET_QUEUE_ATTRIBUTES("SetQueueAttributes"),
    PURGE_QUEUE("PurgeQueue"),
    DELETE_QUEUE("DeleteQueue"),
    SEND_MESSAGE("SendMessage"),
    SEND_MESSAGE_BATCH("SendMessageBatch"),
    RECEIVE_MESSAGE("ReceiveMessage"),
    DELETE_MESSAGE("DeleteMessage"),
    DELETE_MESSAGE_BATCH("DeleteMessageBatch"),
    CHANGE_MESSAGE_VISIBILITY("ChangeMessageVisibility"),
    CHANGE_MESSAGE_VISIBILITY_BATCH("ChangeMessageVisibilityBatch");

    private static final Map<String, Operation> BY_TARGET = new HashMap<>();

    static {
        for (Operation operation : values()) {
            BY_TARGET.put("AmazonSQS." + operation.wireName, operation);
        }
    }

    private final String wireName;

    Operation(String wireName) {
        this.wireName = wireName;
    }

    String wireName() {
        return wireName;
    }

    /** By the {@code X-Amz-Target} header. */
    static @Nullable Operation byTarget(@Nullable String target) {
        return BY_TARGET.get(target);
    }
}
