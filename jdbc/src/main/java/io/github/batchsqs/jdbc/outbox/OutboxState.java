/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import io.github.batchsqs.jdbc.support.Database;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/** The statements of operators and meters: how many rows wait, and what to do with the failed ones. All run in the transaction of the thread. */
final class OutboxState {

    private final Database database;

    OutboxState(Database database) {
        this.database = database;
    }

    /** Returns the number of rows that wait, up to a maximum. */
    long waiting(int maximum) {
        return count("failed_at IS NULL", maximum);
    }

    /** Returns the number of failed rows, up to a maximum. */
    long failed(int maximum) {
        return count("failed_at IS NOT NULL", maximum);
    }

    private long count(String condition, int maximum) {
        Long count = database.jdbc()
                .queryForObject(
                        "SELECT COUNT(*) FROM (SELECT id FROM batchsqs_outbox WHERE " + condition + " LIMIT " + maximum
                                + ") t",
                        Long.class);
        return count == null ? 0 : count;
    }

    /** Returns the first failed rows, in the order of their failures. */
    List<FailedMessage> failures(int maximum) {
        RowMapper<FailedMessage> mapper = (row, number) -> new FailedMessage(
                row.getLong(1),
                String.valueOf(row.getString("client")),
                String.valueOf(row.getString("queue_name")),
                row.getString("group_id"),
                Instant.ofEpochMilli(row.getLong("created_at")).toString(),
                Instant.ofEpochMilli(row.getLong("failed_at")).toString(),
                row.getInt("attempts"),
                row.getString("error"));
        return database.jdbc()
                .query(
                        "SELECT id, client, queue_name, group_id, created_at, failed_at, attempts, error FROM batchsqs_outbox"
                                + " WHERE failed_at IS NOT NULL ORDER BY failed_at, id LIMIT " + maximum,
                        mapper);
    }

    /** Makes a failed row due, or all of them; returns how many there were. */
    int retry(@Nullable Long id, long now) {
        String sql = "UPDATE batchsqs_outbox SET failed_at = NULL, error = NULL, attempts = 0, owner = NULL, due_at = ?"
                + " WHERE failed_at IS NOT NULL";
        return id == null ? database.jdbc().update(sql, now) : database.jdbc().update(sql + " AND id = ?", now, id);
    }

    /** Deletes a failed row; returns how many there were. */
    int deleteFailed(long id) {
        return database.jdbc().update("DELETE FROM batchsqs_outbox WHERE failed_at IS NOT NULL AND id = ?", id);
    }

    /** Returns when the first of the rows that wait was stored, or {@code null} if none waits. */
    @Nullable
    Long oldest() {
        RowMapper<Long> mapper = (row, number) -> row.getLong(1);
        List<Long> found = database.jdbc()
                .query("SELECT created_at FROM batchsqs_outbox WHERE failed_at IS NULL ORDER BY id LIMIT 1", mapper);
        return found.isEmpty() ? null : found.getFirst();
    }
}
