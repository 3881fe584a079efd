/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import io.github.batchsqs.errors.BatchSqsException;

/** One of several containers did not start, for the reason of the cause. */
public final class ListenerStartException extends BatchSqsException {

    /** The id of the listener. */
    private final String listener;

    /**
     * Creates the exception.
     *
     * @param listener the id of the listener
     * @param cause the reason why it did not start
     */
    public ListenerStartException(String listener, Throwable cause) {
        super("The listener '" + listener + "' did not start: " + cause.getMessage(), cause);
        this.listener = listener;
    }

    /** {@return the id of the listener} */
    public String listener() {
        return listener;
    }
}
