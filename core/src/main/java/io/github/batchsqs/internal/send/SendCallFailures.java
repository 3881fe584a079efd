/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.batch.CallFailure;
import io.github.batchsqs.send.SendFailedException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the failure of a whole send means for the messages of the call. Pure.
 *
 * <p>SQS refuses a whole call also for one bad message (its characters, its size, a parameter of it). So the messages of a
 * refused call are sent again one by one, unless the code blames the queue, the credentials or the key.
 */
final class SendCallFailures {

    /** What the codes have in common that blame the queue, the credentials or the key, and so no message. */
    private static final Pattern NO_MESSAGES_FAULT = Pattern.compile(
            "^(?i:kms)|Access|Auth|Signature|Token|Security|OptIn|Address|UnrecognizedClient|QueueDoesNotExist");

    /** Codes of a message that never passes, or that is in the queue. Whatever else happens may be the fault of something else. */
    private static final Set<String> FINAL = Set.of(
            SendFailedException.INVALID_MESSAGE,
            SendFailedException.DIGEST_MISMATCH,
            "BatchRequestTooLong",
            "InvalidAttributeValue",
            "InvalidMessageContents",
            "InvalidParameterValue",
            "MissingParameter");

    private SendCallFailures() {}

    /** What SQS says of a message that another setting of its queue would permit: its maximum size, its deduplication. */
    private static final List<String> SETTINGS = List.of("must be shorter than", "ContentBasedDeduplication");

    /** Returns whether a message of an outbox that failed so alone is not sent again. */
    static boolean isFinal(String code, @Nullable String message) {
        return FINAL.contains(code) && (message == null || SETTINGS.stream().noneMatch(message::contains));
    }

    static CallFailure judge(Throwable failure) {
        boolean alone = failure instanceof QueueCallException call
                && call.refused()
                && !call.retryable()
                && !NO_MESSAGES_FAULT.matcher(call.code()).find();
        return CallFailure.of(failure, alone);
    }
}
