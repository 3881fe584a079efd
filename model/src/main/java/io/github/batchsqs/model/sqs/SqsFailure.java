/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

/** A call that SQS refuses as a whole; nothing was done. Has no stack trace, because it stands for a response. */
public final class SqsFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public SqsFailure(ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
