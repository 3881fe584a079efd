/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.inbox;

import io.github.batchsqs.jdbc.support.Database;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.RowCallbackHandler;

/** The statements on the table of processed messages. All run in the transaction of the thread. */
final class InboxTable {

    static final String NAME = "batchsqs_inbox";

    /** Rows per statement. Databases limit the number of parameters; PostgreSQL's is the lowest, 65,535. */
    private static final int CHUNK = 1_000;

    private final Database database;

    InboxTable(Database database) {
        this.database = database;
    }

    /**
     * Inserts ids that are not in the table. Waits for another transaction that has inserted one of them until it ends.
     *
     * @param claim marks the rows of this transaction
     * @param ids the ids, sorted, so that two transactions never wait for each other
     * @return the ids that were inserted, and so were not in the table
     */
    Set<String> claim(String queue, long claim, List<String> ids, long now) {
        Set<String> claimed = new HashSet<>();
        for (List<String> chunk : chunks(ids)) {
            List<Object> values = new ArrayList<>(4 * chunk.size());
            chunk.forEach(id -> Collections.addAll(values, queue, id, claim, now));
            int inserted = database.jdbc().update(insert(chunk.size()), values.toArray());
            claimed.addAll(inserted == chunk.size() ? chunk : claimedAmong(queue, claim, chunk));
        }
        return claimed;
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
        Set<String> found = new HashSet<>();
        RowCallbackHandler add = row -> found.add(row.getString(1));
        database.jdbc()
                .query(
                        "SELECT id FROM batchsqs_inbox WHERE queue = ? AND claim = ? AND id IN ("
                                + rows("?", ids.size()) + ")",
                        add,
                        parameters(queue, claim, ids));
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

    private static Object[] parameters(String queue, long claim, List<String> ids) {
        List<Object> values = new ArrayList<>(2 + ids.size());
        values.add(queue);
        values.add(claim);
        values.addAll(ids);
        return values.toArray();
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
