/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.client;

import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.support.SqsErrors;

/**
 * The result of one entry of a call.
 *
 * @param <R> the value of an accepted entry
 */
public sealed interface EntryResult<R> {

    /**
     * The entry was accepted.
     *
     * @param <R> the type of the result of an accepted entry
     * @param value the result of the entry
     */
    record Accepted<R>(R value) implements EntryResult<R> {}

    /**
     * The entry was refused, although the call as a whole succeeded.
     *
     * @param <R> the type of the result of an accepted entry
     * @param code the server's error code
     * @param message the server's message
     * @param retryable whether the same entry may be accepted later
     * @param mayHaveBeenAccepted whether the server may have acted on the entry nevertheless
     */
    record Rejected<R>(String code, String message, boolean retryable, boolean mayHaveBeenAccepted)
            implements EntryResult<R> {

        /**
         * Creates the result of an entry on which the server did not act.
         *
         * @param code the server's error code
         * @param message the server's message
         * @param retryable whether the same entry may be accepted later
         */
        public Rejected(String code, String message, boolean retryable) {
            this(code, message, retryable, false);
        }

        /**
         * Returns the failure of this entry, with the message and remedy of a failed call.
         *
         * @param operation the call's name in SQS
         * @param queue the queue's name
         */
        public QueueCallException failure(String operation, String queue) {
            String text = SqsErrors.message(operation, queue, code, "", message);
            return new QueueCallException(operation, code, text, retryable, null);
        }
    }
}
