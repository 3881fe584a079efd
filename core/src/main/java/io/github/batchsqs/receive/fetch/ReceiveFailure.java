/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.client.QueueCallException;

/**
 * How a receive failed; holds nothing of a message.
 *
 * @param code SQS's error code, or the kind of failure where there was no answer
 * @param type the full class name of the innermost cause
 */
public record ReceiveFailure(String code, String type) {

    private static final int MAX_CAUSES = 32;

    static ReceiveFailure of(RuntimeException failure) {
        Throwable cause = failure;
        for (int depth = 0; cause.getCause() != null && depth < MAX_CAUSES; depth++) {
            cause = cause.getCause();
        }
        String code = failure instanceof QueueCallException call
                ? call.code()
                : failure.getClass().getSimpleName();
        return new ReceiveFailure(code, cause.getClass().getName());
    }
}
