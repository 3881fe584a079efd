/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.internal.listener.ListenerInbox;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.jdbc.internal.JdbcThreads;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.beans.factory.ListableBeanFactory;

/** The inbox of all listeners. Nothing happens until a listener asks for it; then old rows are deleted, too. */
final class JdbcInbox implements ListenerInbox {

    private final Database database;
    private final InboxMeters meters;
    private final Retention retention;
    private final ListableBeanFactory beans;
    private final AtomicBoolean used = new AtomicBoolean();

    JdbcInbox(Database database, InboxMeters meters, Retention retention, ListableBeanFactory beans) {
        this.database = database;
        this.meters = meters;
        this.retention = retention;
        this.beans = beans;
    }

    @Override
    public BatchListener<Object> around(BatchListener<Object> listener, Request request) {
        var ids = new MessageIds(request.key());
        if (!used.get()) {
            database.prepare(InboxTable.NAME);
            new InboxTable(database).check(Instant.now().toEpochMilli());
            if (used.compareAndSet(false, true)) {
                JdbcThreads.start("retention", retention);
            }
        }
        Class<?> beanClass = request.beanClass();
        if (beanClass != null) {
            var rules = new TransactionRules(beans, database.transactionManager());
            for (Method method : request.methods()) {
                rules.check(beanClass, method);
            }
        }
        return new InboxListener(
                listener,
                ids,
                new InboxTransactions(
                        database, TimeSource.system(), request.options().id()),
                meters.of(request.options().id(), request.queue()));
    }
}
