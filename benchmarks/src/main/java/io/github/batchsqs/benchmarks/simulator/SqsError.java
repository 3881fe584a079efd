/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.github.batchsqs.model.sqs.ErrorCode;

/** An error as SQS returns it, for a whole call or for one entry of a batch. */
final class SqsError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    private SqsError(int status, String code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    /** An error of the model; some have an older spelling in the header that names the code. */
    static SqsError of(ErrorCode code, String message) {
        return sender(
                switch (code) {
                    case BATCH_ENTRY_IDS_NOT_DISTINCT,
                            BATCH_REQUEST_TOO_LONG,
                            EMPTY_BATCH_REQUEST,
                            INVALID_BATCH_ENTRY_ID,
                            MESSAGE_NOT_IN_FLIGHT,
                            TOO_MANY_ENTRIES_IN_BATCH_REQUEST -> "AWS.SimpleQueueService." + code.code();
                    case QUEUE_DOES_NOT_EXIST -> "AWS.SimpleQueueService.NonExistentQueue";
                    case QUEUE_NAME_EXISTS -> "QueueAlreadyExists";
                    default -> code.code();
                },
                message);
    }

    static SqsError sender(String code, String message) {
        return new SqsError(400, code, message);
    }

    /** An error of the signature. */
    static SqsError forbidden(String code, String message) {
        return new SqsError(403, code, message);
    }

    static SqsError server(int status, String code, String message) {
        return new SqsError(status, code, message);
    }

    static SqsError invalidParameter(String message) {
        return sender("InvalidParameterValue", message);
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    boolean senderFault() {
        return status < 500;
    }

    /** The name of the shape that the SDK maps to an exception. */
    String shape() {
        return switch (code) {
            case "InvalidParameterValue" -> "InvalidParameterValueException";
            case "AWS.SimpleQueueService.NonExistentQueue" -> "QueueDoesNotExist";
            case "QueueAlreadyExists" -> "QueueNameExists";
            default -> code.substring(code.lastIndexOf('.') + 1);
        };
    }
}
