/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.autoconfigure.internal.settings.JdbcSettings;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.Database;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes rows that are older than the retention, by chunks in transactions of their own, on a thread of its own. Every instance
 * does so; a chunk takes rows that no other instance deletes. A failure is tried again at the next time.
 */
final class Retention implements Runnable, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Retention.class);

    static final int CHUNK = 1_000;

    /** A minute is short enough that few rows gather, and long enough that nobody notices the statement. */
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Database database;
    private final InboxTable table;
    private final Duration retention;
    private final InboxMeters meters;
    private final TimeSource time;
    private final OutageLog outage;
    private final CountDownLatch ended = new CountDownLatch(1);

    Retention(Database database, JdbcSettings.Inbox settings, InboxMeters meters, TimeSource time) {
        Check.range("batchsqs.jdbc.inbox.retention", settings.retention(), Duration.ofMinutes(1), Duration.ofDays(365));
        this.database = database;
        this.table = new InboxTable(database);
        this.retention = settings.retention();
        this.meters = meters;
        this.time = time;
        this.outage = new OutageLog(log, time, "Inbox: deleting old rows of " + InboxTable.NAME);
    }

    @Override
    public void run() {
        try {
            while (!ended.await(INTERVAL.toNanos(), TimeUnit.NANOSECONDS)) {
                clean();
            }
        } catch (InterruptedException stopped) {
            // The application ends.
        }
    }

    /** Deletes all rows that are too old now. Does not throw. */
    void clean() {
        Throwable failed = ForeignCode.run(this::deleteAll); // also what a driver throws; the thread goes on
        if (failed == null) {
            outage.succeeded();
        } else {
            outage.failed("delete", Database.reason(failed));
        }
    }

    private void deleteAll() {
        int deleted = CHUNK;
        while (deleted == CHUNK && ended.getCount() > 0) {
            long before = time.now().minus(retention).toEpochMilli();
            deleted = Objects.requireNonNull(
                    database.newTransaction().execute(status -> table.deleteBefore(before, CHUNK)));
            meters.deleted(deleted);
        }
    }

    /** Ends the thread after the chunk that it deletes. */
    @Override
    public void close() {
        ended.countDown();
    }
}
