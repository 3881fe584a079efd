/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.inbox;

import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.support.QueueIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of the table belong to a queue: those of its region, account and name. They are known when the queue is found, which
 * happens at the first batch, because a queue need not exist when the application starts. Safe for use by any thread.
 */
final class QueueScope {

    private final QueueResolver resolver;
    private final String reference;
    private volatile @Nullable String found;

    /**
     * Creates a scope that finds the queue when it is asked.
     *
     * @param reference the name, URL or ARN of the queue
     */
    QueueScope(QueueResolver resolver, String reference) {
        this.resolver = resolver;
        this.reference = reference;
    }

    /** Returns the value of the column {@code queue}. The first call blocks on a call to SQS; it is repeated if that fails. */
    String queue() throws InterruptedException {
        String known = found;
        if (known == null) {
            known = MessageIds.stored(
                    QueueIdentity.of(resolver.resolve(reference).url()));
            found = known;
        }
        return known;
    }
}
