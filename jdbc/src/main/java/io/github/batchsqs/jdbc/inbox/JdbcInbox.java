/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.inbox;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.internal.listener.ListenerInbox;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.jdbc.internal.JdbcThreads;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.time.TimeSource;
import java.lang.reflect.Method;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;

/** The inbox of all listeners. Nothing happens until a listener asks for it; then old rows are deleted, too. */
final class JdbcInbox implements ListenerInbox, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(JdbcInbox.class);

    private final Database database;
    private final InboxMeters meters;
    private final Retention retention;
    private final ListableBeanFactory beans;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread cleaning;
    private int invocations;

    JdbcInbox(Database database, InboxMeters meters, Retention retention, ListableBeanFactory beans) {
        this.database = database;
        this.meters = meters;
        this.retention = retention;
        this.beans = beans;
    }

    @Override
    public BatchListener<Object> around(BatchListener<Object> listener, Request request) {
        var ids = new MessageIds(request.key());
        database.prepare(InboxTable.NAME);
        Class<?> beanClass = request.beanClass();
        if (beanClass != null) {
            var rules = new TransactionRules(beans, database.transactionManager());
            for (Method method : request.methods()) {
                rules.check(beanClass, method);
            }
        }
        start(request.options());
        return InboxListener.around(
                listener,
                new QueueScope(request.resolver(), request.options().queue()),
                ids,
                new InboxTransactions(
                        database,
                        new InboxTable(database),
                        TimeSource.system(),
                        request.options().id()),
                meters.of(request.options().id(), request.queue()));
    }

    /** Checks the table and starts to clean it, once for all listeners. Compares their invocations with the pool. */
    private void start(ListenerOptions options) {
        lock.lock();
        try {
            invocations += invocations(options);
            Integer pool = database.poolSize();
            if (pool != null && pool < invocations) {
                log.warn(
                        "Inbox: each running invocation has a connection to the database. With the listener {} there can be {} at once"
                                + " (concurrency: auto counts as the number with which it starts), and the pool of the DataSource"
                                + " has {} connections: further invocations wait, and fail when the pool's timeout has passed. Set"
                                + " spring.datasource.hikari.maximum-pool-size (or that of your pool) to more than {}, or lower"
                                + " concurrency, for example to auto:8, of the listeners with the inbox",
                        options.id(),
                        invocations,
                        pool,
                        invocations);
            }
            if (cleaning == null) {
                new TableCheck(database).run();
                cleaning = JdbcThreads.start("retention", retention);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Above its first number, an automatic concurrency follows the latency, waits for the pool included. */
    private static int invocations(ListenerOptions options) {
        return options.concurrency() == ListenerOptions.AUTO_CONCURRENCY
                ? Math.min(ListenerOptions.AUTO_CONCURRENCY_START, options.concurrencyMax())
                : options.concurrency();
    }

    /** Returns whether a listener has the inbox. */
    boolean isUsed() {
        lock.lock();
        try {
            return cleaning != null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        retention.end();
    }
}
