/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

/** The errors of SQS that the model returns. All are the sender's fault. */
public enum ErrorCode {
    BATCH_ENTRY_IDS_NOT_DISTINCT("BatchEntryIdsNotDistinct"),
    BATCH_REQUEST_TOO_LONG("BatchRequestTooLong"),
    EMPTY_BATCH_REQUEST("EmptyBatchRequest"),
    INVALID_BATCH_ENTRY_ID("InvalidBatchEntryId"),
    INVALID_MESSAGE_CONTENTS("InvalidMessageContents"),
    INVALID_PARAMETER_VALUE("InvalidParameterValue"),
    MESSAGE_NOT_IN_FLIGHT("MessageNotInflight"),
    MISSING_PARAMETER("MissingParameter"),
    OVER_LIMIT("OverLimit"),
    QUEUE_DOES_NOT_EXIST("QueueDoesNotExist"),
    QUEUE_NAME_EXISTS("QueueNameExists"),
    RECEIPT_HANDLE_IS_INVALID("ReceiptHandleIsInvalid"),
    TOO_MANY_ENTRIES_IN_BATCH_REQUEST("TooManyEntriesInBatchRequest");

    private final String code;

    ErrorCode(String code) {
        this.code = code;
    }

    /** The name that SQS uses in its JSON protocol, without a prefix. */
    public String code() {
        return code;
    }
}
