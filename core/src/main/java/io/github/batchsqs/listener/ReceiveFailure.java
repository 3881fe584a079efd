/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.support.Causes;
import io.github.batchsqs.internal.support.SqsErrors;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a receive; contains no data of a message.
 *
 * @param code SQS's error code, or the kind of failure if there was no response
 * @param type the full class name of the innermost cause
 * @param message the problem and the remedy if the response does not come from SQS, or {@code null}
 */
public record ReceiveFailure(
        String code, String type, @Nullable String message) {

    /**
     * {@return the failure that this exception of a receive describes, by its innermost cause}
     *
     * @param failure the exception of the receive
     */
    public static ReceiveFailure of(Throwable failure) {
        String code = failure instanceof QueueCallException call
                ? call.code()
                : failure.getClass().getSimpleName();
        // Other messages may quote the response, and health is open to more readers than the log.
        String message = code.equals(SqsErrors.NOT_FROM_SQS) ? failure.getMessage() : null;
        return new ReceiveFailure(code, Causes.innermost(failure).getClass().getName(), message);
    }
}
