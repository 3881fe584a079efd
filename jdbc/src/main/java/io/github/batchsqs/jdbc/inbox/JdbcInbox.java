/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.inbox;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.listener.ListenerInbox;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.jdbc.support.Database;
import io.github.batchsqs.jdbc.support.JdbcThreads;
import io.github.batchsqs.time.TimeSource;
import java.lang.reflect.Method;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The inbox of all listeners. Nothing happens until a listener asks for it; then old rows are deleted, too. */
final class JdbcInbox implements ListenerInbox, AutoCloseable {

    private final Database database;
    private final InboxMeters meters;
    private final Retention retention;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread cleaning;

    JdbcInbox(Database database, InboxMeters meters, Retention retention) {
        this.database = database;
        this.meters = meters;
        this.retention = retention;
    }

    @Override
    public BatchListener<Object> around(BatchListener<Object> listener, Request request) {
        var ids = new MessageIds(request.key());
        Class<?> beanClass = request.beanClass();
        if (beanClass != null) {
            for (Method method : request.methods()) {
                TransactionRules.check(beanClass, method);
            }
        }
        database.prepare(InboxTable.NAME);
        startCleaning();
        String client = request.options().client();
        String queue = client.equals(QueueClient.DEFAULT_NAME) ? request.queue() : client + "/" + request.queue();
        return InboxListener.around(
                listener,
                MessageIds.stored(queue),
                ids,
                database,
                meters.of(request.options().id(), request.queue()),
                TimeSource.system());
    }

    private void startCleaning() {
        lock.lock();
        try {
            if (cleaning == null) {
                cleaning = JdbcThreads.start("retention", retention);
            }
        } finally {
            lock.unlock();
        }
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
