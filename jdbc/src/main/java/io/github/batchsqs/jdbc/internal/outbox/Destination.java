/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.support.SqsLimits;

/**
 * Where a message goes: a queue of a client.
 *
 * @param queue the queue's name, URL or ARN, as the message had it; nobody has looked it up yet
 */
record Destination(String client, String queue) {

    /** Returns the name of the queue, for meters. */
    String queueName() {
        return SqsLimits.queueName(queue);
    }
}
