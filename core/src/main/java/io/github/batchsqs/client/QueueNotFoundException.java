/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.support.UserInformation;

/** The queue does not exist, or the credentials may not see it. */
public final class QueueNotFoundException extends BatchSqsException {

    /** The name, URL or ARN of the queue. */
    private final String queue;

    /**
     * Creates the failure of a look-up.
     *
     * @param queue the queue as it was asked for: its name, URL or ARN
     * @param cause the client library's exception
     */
    public QueueNotFoundException(String queue, Throwable cause) {
        super(
                "The queue '" + UserInformation.mask(queue)
                        + "' was not found: it must exist in the region of the SQS client, and in the account"
                        + " of its credentials unless its URL or ARN names another. Check the name, the region and the"
                        + " permissions (sqs:GetQueueUrl, sqs:GetQueueAttributes), or create the queue",
                cause);
        this.queue = queue;
    }

    /** {@return the name, URL or ARN that was looked up} */
    public String queue() {
        return queue;
    }
}
