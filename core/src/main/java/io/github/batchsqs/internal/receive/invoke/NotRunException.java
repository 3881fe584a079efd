/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import java.time.Duration;

/**
 * The cause of a retry of a message that has not run, because its listener cannot run it yet. It returns to the queue without a failure and
 * without an attempt, and so do the messages behind it in its group (FIFO).
 */
public final class NotRunException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Duration after;

    /** @param after when the message becomes visible again */
    public NotRunException(String why, Duration after) {
        super(why, null, false, false);
        this.after = after;
    }

    public Duration after() {
        return after;
    }
}
