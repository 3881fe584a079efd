/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One receive.
 *
 * @param maxMessages 1 to 10
 * @param waitTime 0 to 20 seconds. The model does not wait: who calls it does, and asks again. A wait above 0 only makes a receive
 *     at the limit of messages in flight return nothing, where a short poll fails
 * @param visibilityTimeout 0 s to 12 h; {@code null} for that of the queue
 * @param attemptId {@code ReceiveRequestAttemptId}, FIFO only
 */
public record ReceiveRequest(
        int maxMessages,
        Duration waitTime,
        @Nullable Duration visibilityTimeout,
        @Nullable String attemptId) {

    private static final Duration MAX_WAIT = Duration.ofSeconds(20);

    public ReceiveRequest(int maxMessages) {
        this(maxMessages, Duration.ZERO, null, null);
    }

    /** Fails the call if it breaks a rule of SQS. */
    void check(boolean fifo) {
        if (maxMessages < 1 || maxMessages > Batches.MAX_ENTRIES) {
            throw invalid("MaxNumberOfMessages must be between 1 and 10, but is " + maxMessages);
        }
        if (waitTime.isNegative() || waitTime.compareTo(MAX_WAIT) > 0) {
            throw invalid("WaitTimeSeconds must be between 0 and 20, but is " + waitTime);
        }
        if (visibilityTimeout != null && QueueSettings.outside(visibilityTimeout, QueueSettings.MAX_VISIBILITY)) {
            throw invalid("VisibilityTimeout must be between 0 and 43200 seconds, but is " + visibilityTimeout);
        }
        if (attemptId != null && !fifo) {
            throw invalid("ReceiveRequestAttemptId is for FIFO queues only");
        }
    }

    private static SqsFailure invalid(String message) {
        return new SqsFailure(ErrorCode.INVALID_PARAMETER_VALUE, message);
    }
}
