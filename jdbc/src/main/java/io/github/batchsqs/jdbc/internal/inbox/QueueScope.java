/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.support.QueueIdentity;
import org.jspecify.annotations.Nullable;

/**
 * What the inbox knows about a queue. It is known when the queue is found, which happens at the first batch, because a queue need not exist
 * when the application starts. Safe for use by any thread.
 */
final class QueueScope {

    private final QueueResolver resolver;
    private final String reference;
    private volatile @Nullable Found found;

    /**
     * Creates a scope that finds the queue when it is asked.
     *
     * @param reference the name, URL or ARN of the queue
     */
    QueueScope(QueueResolver resolver, String reference) {
        this.resolver = resolver;
        this.reference = reference;
    }

    /**
     * A queue that was found.
     *
     * @param column the value of the column {@code queue}, which stands for its region, account and name
     * @param maxReceives after how many receives the next one sends a message to the dead-letter queue
     */
    record Found(String column, int maxReceives) {}

    /** Returns what is known. The first call blocks on calls to SQS; they are repeated if they fail. */
    Found find() throws InterruptedException {
        Found known = found;
        if (known == null) {
            Queue queue = resolver.resolve(reference);
            RedrivePolicy redrive = resolver.attributes(queue).redrive();
            known = new Found(
                    MessageIds.stored(QueueIdentity.of(queue.url())),
                    redrive == null ? Integer.MAX_VALUE : redrive.maxReceiveCount());
            found = known;
        }
        return known;
    }
}
