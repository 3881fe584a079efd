/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.inbox;

import io.github.batchsqs.jdbc.inbox.QueueScope.Names;
import io.github.batchsqs.jdbc.support.Database;
import io.github.batchsqs.jdbc.support.Dialect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowCallbackHandler;

/** The statements on the table of processed messages. All run in the transaction of the thread. */
final class InboxTable {

    static final String NAME = "batchsqs_inbox";

    /** Rows per statement. Databases limit the number of parameters; PostgreSQL's is the lowest, 65,535. */
    private static final int CHUNK = 1_000;

    /** How long a claim waits for another instance. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final Database database;
    private final Duration longestWait;

    InboxTable(Database database) {
        this(database, LONGEST_WAIT);
    }

    InboxTable(Database database, Duration longestWait) {
        this.database = database;
        this.longestWait = longestWait;
    }

    /**
     * Inserts ids that are not in the table. Waits for another transaction that has inserted one of them until it ends, but not longer
     * than the longest wait of this table or of the database.
     *
     * @param claim marks the rows of this transaction
     * @param ids the ids, sorted, so that two transactions never wait for each other
     * @return the ids that were not in the table
     * @throws QueryTimeoutException if the wait is over
     */
    Set<String> claim(Names queue, long claim, List<String> ids, long now) {
        Set<String> claimed = new HashSet<>();
        for (List<String> chunk : chunks(ids)) {
            List<Object> values = new ArrayList<>(4 * chunk.size());
            chunk.forEach(id -> Collections.addAll(values, queue.own(), id, claim, now));
            int inserted = claiming().update(insert(chunk.size()), values.toArray());
            claimed.addAll(inserted == chunk.size() ? chunk : claimedAmong(queue.own(), claim, chunk));
            if (queue.former() != null) {
                claimed.removeAll(among(queue.former(), chunk));
            }
        }
        return claimed;
    }

    /** Returns whether a row of this claim is there, in the transaction of the thread. */
    boolean holds(Names queue, long claim, String id) {
        return !claimedAmong(queue.own(), claim, List.of(id)).isEmpty();
    }

    /** Deletes rows of a claim; returns their number. */
    int release(Names queue, long claim, List<String> ids) {
        int released = 0;
        for (List<String> chunk : chunks(ids)) {
            released += database.jdbc()
                    .update(
                            "DELETE FROM batchsqs_inbox WHERE queue = ? AND claim = ? AND id IN ("
                                    + rows("?", chunk.size()) + ")",
                            parameters(List.of(queue.own(), claim), chunk));
        }
        return released;
    }

    /** Inserts a row, and fails if it is there. */
    void insertOne(String queue, String id, long claim) {
        int unused = database.jdbc()
                .update(
                        "INSERT INTO batchsqs_inbox (queue, id, claim, processed_at) VALUES (?, ?, ?, 0)",
                        queue,
                        id,
                        claim);
    }

    /** Returns whether the table has a row of this queue. */
    boolean hasRowsOf(String queue) {
        return !database.jdbc()
                .queryForList("SELECT id FROM batchsqs_inbox WHERE queue = ? LIMIT 1", String.class, queue)
                .isEmpty();
    }

    /** Only PostgreSQL has no limit of its own for waits, unless it is configured. */
    private JdbcOperations claiming() {
        return database.dialect() == Dialect.POSTGRESQL ? database.jdbc(longestWait) : database.jdbc();
    }

    private String insert(int rows) {
        return switch (database.dialect()) {
            case POSTGRESQL ->
                "INSERT INTO batchsqs_inbox (queue, id, claim, processed_at) VALUES " + rows("(?, ?, ?, ?)", rows)
                        + " ON CONFLICT DO NOTHING";
            case MYSQL, MARIADB ->
                "INSERT IGNORE INTO batchsqs_inbox (queue, id, claim, processed_at) VALUES "
                        + rows("(?, ?, ?, ?)", rows);
            case H2 ->
                "MERGE INTO batchsqs_inbox t USING (VALUES "
                        + rows("(CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS BIGINT), CAST(? AS BIGINT))", rows)
                        + ") v (queue, id, claim, processed_at) ON t.queue = v.queue AND t.id = v.id WHEN NOT MATCHED"
                        + " THEN INSERT (queue, id, claim, processed_at) VALUES (v.queue, v.id, v.claim,"
                        + " v.processed_at)";
        };
    }

    private Set<String> claimedAmong(String queue, long claim, List<String> ids) {
        return select("queue = ? AND claim = ?", List.of(queue, claim), ids);
    }

    private Set<String> among(String queue, List<String> ids) {
        return select("queue = ?", List.of(queue), ids);
    }

    private Set<String> select(String where, List<?> values, List<String> ids) {
        Set<String> found = new HashSet<>();
        RowCallbackHandler add = row -> found.add(row.getString(1));
        database.jdbc()
                .query(
                        "SELECT id FROM batchsqs_inbox WHERE " + where + " AND id IN (" + rows("?", ids.size()) + ")",
                        add,
                        parameters(values, ids));
        return found;
    }

    /** Deletes rows that are older; returns their number, at most the maximum. */
    int deleteBefore(long processedAt, int maximum) {
        String sql = switch (database.dialect()) {
            case POSTGRESQL ->
                "DELETE FROM batchsqs_inbox WHERE (queue, id) IN (SELECT queue, id FROM batchsqs_inbox WHERE"
                        + " processed_at < ? ORDER BY processed_at LIMIT ? FOR UPDATE SKIP LOCKED)";
            case MYSQL, MARIADB -> "DELETE FROM batchsqs_inbox WHERE processed_at < ? ORDER BY processed_at LIMIT ?";
            case H2 -> "DELETE FROM batchsqs_inbox WHERE processed_at < ? FETCH FIRST ? ROWS ONLY";
        };
        return database.jdbc().update(sql, processedAt, maximum);
    }

    private static Object[] parameters(List<?> values, List<String> ids) {
        List<Object> all = new ArrayList<>(values);
        all.addAll(ids);
        return all.toArray();
    }

    private static String rows(String row, int rows) {
        return String.join(", ", Collections.nCopies(rows, row));
    }

    private static List<List<String>> chunks(List<String> ids) {
        List<List<String>> chunks = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += CHUNK) {
            chunks.add(ids.subList(from, Math.min(ids.size(), from + CHUNK)));
        }
        return chunks;
    }
}
