/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.BatchSqsException;

/** One of several containers did not start; the cause says why. */
public final class ListenerStartException extends BatchSqsException {

    private final String listener;

    public ListenerStartException(String listener, Throwable cause) {
        super("The listener '" + listener + "' did not start: " + cause.getMessage(), cause);
        this.listener = listener;
    }

    /** The id of the listener. */
    public String listener() {
        return listener;
    }
}
