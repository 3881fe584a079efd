/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.BatchSqsException;

/** The queue does not exist, or the credentials may not see it. */
public final class QueueNotFoundException extends BatchSqsException {

    private final String queue;

    public QueueNotFoundException(String queue, Throwable cause) {
        super("The queue '" + queue + "' was not found in this region and account", cause);
        this.queue = queue;
    }

    /** The queue as it was asked for. */
    public String queue() {
        return queue;
    }
}
