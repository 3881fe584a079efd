/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import io.github.batchsqs.jdbc.internal.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/** The statements of operators and meters: which rows wait or have failed, and what to do with them. All run in the transaction of the thread. */
final class OutboxState {

    /** The owner stays: it may be sending the row at this moment. */
    private static final String FREE =
            "UPDATE batchsqs_outbox SET failed_at = NULL, error = NULL, attempts = 0, due_at = 0 WHERE ";

    private final Database database;

    OutboxState(Database database) {
        this.database = database;
    }

    /** Returns how many rows wait and have failed, up to a maximum of both together. Rows of a later time wait from then on. */
    OutboxStore.Backlog backlog(int maximum) {
        RowMapper<OutboxStore.Backlog> mapper = (row, number) -> new OutboxStore.Backlog(
                row.getLong(1), Duration.ofMillis(Math.max(0, row.getLong(3))), row.getLong(2), row.getString(4));
        String now = database.dialect().now();
        String since = "CASE WHEN due_at > created_at THEN due_at ELSE created_at END";
        return database.jdbc()
                .query(
                        "SELECT COUNT(*) - COUNT(failed_at), COUNT(failed_at), " + now
                                + " - MIN(CASE WHEN failed_at IS NULL THEN since END), MAX(CASE WHEN failed_at IS NULL THEN error END)"
                                + " FROM (SELECT failed_at, error, " + since
                                + " AS since FROM batchsqs_outbox WHERE failed_at IS NOT NULL OR due_at <= " + now
                                + " ORDER BY id LIMIT " + maximum + ") t",
                        mapper)
                .getFirst();
    }

    /** Returns the first rows that wait, or that have failed. */
    List<OutboxMessage> messages(boolean failed, int maximum) {
        RowMapper<OutboxMessage> mapper = (row, number) -> new OutboxMessage(
                row.getLong(1),
                String.valueOf(row.getString(2)),
                String.valueOf(row.getString(3)),
                row.getString(4),
                time(row.getLong(5)),
                row.getLong(6) == 0 ? null : time(row.getLong(6)),
                row.getLong(7) == 0 ? null : time(row.getLong(7)),
                row.getInt(8),
                row.getString(9));
        return database.jdbc()
                .query(
                        "SELECT id, client, queue, group_id, created_at, due_at, failed_at, attempts, error FROM batchsqs_outbox"
                                + " WHERE failed_at IS " + (failed ? "NOT NULL" : "NULL") + " ORDER BY id LIMIT "
                                + maximum,
                        mapper);
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    /** Frees a row, or all failed ones; returns how many there were. */
    int retry(@Nullable Long id) {
        return id == null
                ? database.jdbc().update(FREE + "failed_at IS NOT NULL")
                : database.jdbc().update(FREE + "id = ?", id);
    }

    /** Marks a row that waits as failed; returns how many there were. */
    int park(long id) {
        return database.jdbc()
                .update(
                        "UPDATE batchsqs_outbox SET failed_at = "
                                + database.dialect().now()
                                + ", error = CASE WHEN error IS NULL THEN 'parked by an operator' ELSE error END"
                                + " WHERE failed_at IS NULL AND id = ?",
                        id);
    }
}
