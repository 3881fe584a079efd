/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

/** The calls that {@link InMemoryQueueClient} answers. */
public enum Operation {
    RECEIVE("ReceiveMessage"),
    DELETE("DeleteMessageBatch"),
    CHANGE_VISIBILITY("ChangeMessageVisibilityBatch"),
    SEND("SendMessageBatch"),
    RESOLVE("GetQueueUrl"),
    CREATE("CreateQueue"),
    ATTRIBUTES("GetQueueAttributes");

    private final String sqsName;

    Operation(String sqsName) {
        this.sqsName = sqsName;
    }

    /** SQS's name of the operation. */
    public String sqsName() {
        return sqsName;
    }
}
