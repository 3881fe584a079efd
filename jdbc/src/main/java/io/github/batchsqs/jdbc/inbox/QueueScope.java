/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.inbox;

import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.jdbc.support.Database;
import io.github.batchsqs.support.QueueIdentity;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of the table belong to a queue: those of its region, account and name. They are known when the queue is found, which
 * happens at the first batch, because a queue need not exist when the application starts. Safe for use by any thread.
 */
final class QueueScope {

    /**
     * The values of the column {@code queue}.
     *
     * @param own of the rows that are written
     * @param former of rows that an earlier version has written, or {@code null} if there is none
     */
    record Names(String own, @Nullable String former) {}

    private final QueueResolver resolver;
    private final String reference;
    private final String former;
    private final Database database;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Names found;

    /**
     * Creates a scope that finds the queue when it is asked.
     *
     * @param reference the name, URL or ARN of the queue
     * @param former the name under which an earlier version recorded its ids
     */
    QueueScope(QueueResolver resolver, String reference, String former, Database database) {
        this.resolver = resolver;
        this.reference = reference;
        this.former = MessageIds.stored(former);
        this.database = database;
    }

    /** Returns the names. The first call blocks on a call to SQS and a query; it is repeated if one of them fails. */
    Names names() throws InterruptedException {
        Names known = found;
        if (known != null) {
            return known;
        }
        lock.lockInterruptibly();
        try {
            known = found;
            if (known == null) {
                String own = MessageIds.stored(
                        QueueIdentity.of(resolver.resolve(reference).url()));
                boolean hasFormer = !own.equals(former)
                        && Objects.requireNonNull(database.newTransaction()
                                .execute(status -> new InboxTable(database).hasRowsOf(former)));
                known = new Names(own, hasFormer ? former : null);
                found = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }
}
