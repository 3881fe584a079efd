/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.jdbc.internal.Dialect;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowMapper;

/** The statements on the table of processed messages. All run in the transaction of the thread. */
final class InboxTable {

    static final String NAME = "batchsqs_inbox";

    private static final int QUEUE_LENGTH = 200;

    /** How long a claim waits on PostgreSQL for another transaction that has one of the ids. MariaDB counts whole seconds: none. */
    private static final String HARDLY = "100ms";

    /**
     * When PostgreSQL ends a transaction without a statement, because its host has vanished. A handler that runs for longer without a
     * statement in its transaction fails.
     */
    static final Duration LONGEST_IDLE = Duration.ofMinutes(10);

    /** What PostgreSQL and MariaDB say after the limit of the wait; Spring does not translate it. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private static final int LOCK_WAIT_TIMEOUT = 1205;

    /** A claim waits there for as long as the session says, and so perhaps until it times out. */
    private static final Set<Dialect> WAIT_AS_SESSION = EnumSet.of(Dialect.MYSQL, Dialect.H2);

    private final Database database;

    InboxTable(Database database) {
        this.database = database;
    }

    /**
     * Inserts ids that are not in the table. Waits for another transaction that has inserted one of them, for a limited time: then it
     * fails, and so does the transaction of the thread. On MySQL and H2 the limit is that of the session.
     *
     * @param claim marks the rows of this transaction
     * @param ids the ids, sorted, so that two transactions never wait for each other
     * @return the ids that were not in the table
     * @throws DataAccessException if another transaction holds one of the ids, as {@link #isConflict} says
     */
    Set<String> claim(String queue, long claim, List<String> ids, long now) {
        int inserted = insert(queue, claim, ids, now);
        return inserted == ids.size() ? new HashSet<>(ids) : claimedAmong(queue, claim, ids);
    }

    /** Returns whether a claim failed because another transaction holds one of the ids, or has undone this one. */
    boolean isConflict(Throwable failure) {
        return failure instanceof DuplicateKeyException
                || failure instanceof ConcurrencyFailureException
                || (failure instanceof QueryTimeoutException && WAIT_AS_SESSION.contains(database.dialect()))
                || (failure.getCause() instanceof SQLException cause
                        && (LOCK_NOT_AVAILABLE.equals(cause.getSQLState())
                                || cause.getErrorCode() == LOCK_WAIT_TIMEOUT));
    }

    /** Inserts a row, and fails if it is there. */
    void insertOne(String queue, String id, long claim, long now) {
        String sql = "INSERT INTO batchsqs_inbox (queue, id, claim, processed_at) VALUES (?, ?, ?, ?)";
        int unused = database.jdbc().update(sql, queue, id, claim, now);
    }

    /**
     * Checks at start that the table does what the inbox needs, also if the application has created it: writes rows of a queue that does
     * not exist, in a transaction that is rolled back. A table that takes one id for another would delete messages that never ran; one that
     * takes an id twice would run messages twice. Queues and ids are as long as they can be, and differ in their last character alone;
     * ids in its case.
     *
     * @param now the present time: MariaDB locks the gap below the oldest row while another instance deletes old rows
     * @throws SetupException if the table does not fit, with the remedy
     */
    void check(long now) {
        long claim = ThreadLocalRandom.current().nextLong();
        String start = "batchsqs-check-" + HexFormat.of().toHexDigits(claim);
        String queue = start + "-".repeat(QUEUE_LENGTH - 1 - start.length());
        String id = start + "-".repeat(MessageIds.MAX_LENGTH - 1 - start.length());
        database.check(NAME, () -> {
            Set<String> both = claim(queue + "q", claim, List.of(id + "X", id + "x"), now);
            if (both.size() != 2) {
                throw refused("takes two ids for one: its collation ignores case, or its column id is too short");
            }
            if (claim(queue + "r", claim, List.of(id + "X"), now).isEmpty()) {
                throw refused(
                        "takes the id of one queue for that of another: its column queue is too short, or its primary"
                                + " key lacks it");
            }
            try {
                insertOne(queue + "q", id + "X", claim + 1, now + 1);
            } catch (DataIntegrityViolationException wanted) {
                return; // the transaction is rolled back anyway
            }
            throw refused("takes an id twice: it has no primary key of queue and id");
        });
    }

    private SetupException refused(String what) {
        return new SetupException(
                "The table " + NAME + " " + what + ".",
                "Create it from " + database.dialect().schema() + ", or alter it to be the same.");
    }

    private int insert(String queue, long claim, List<String> ids, long now) {
        JdbcOperations jdbc = database.jdbc();
        if (database.dialect() == Dialect.POSTGRESQL) {
            // One statement: the limit of the wait is for the insert alone, and the handler has its own
            // One text for all sizes of batches: the database parses and plans it once
            RowMapper<Integer> count = (row, number) -> row.getInt(1);
            return jdbc.query(
                            "WITH s AS MATERIALIZED (SELECT current_setting('lock_timeout') AS own, set_config('lock_timeout', '"
                                    + HARDLY + "', true), set_config('idle_in_transaction_session_timeout', '"
                                    + LONGEST_IDLE.toMillis()
                                    + "', true)), i AS (INSERT INTO batchsqs_inbox (queue, id, claim, processed_at) SELECT ?, v.id, ?, ?"
                                    + " FROM s CROSS JOIN unnest(CAST(? AS VARCHAR[])) v (id) ON CONFLICT DO NOTHING RETURNING 1)"
                                    + " SELECT COUNT(*), set_config('lock_timeout', (SELECT own FROM s), true) FROM i",
                            count,
                            queue,
                            claim,
                            now,
                            ids.toArray(String[]::new))
                    .getFirst();
        }
        List<Object> values = new ArrayList<>(4 * ids.size());
        ids.forEach(id -> Collections.addAll(values, queue, id, claim, now));
        String columns = "(queue, id, claim, processed_at)";
        String wait = database.dialect() == Dialect.MARIADB ? "SET STATEMENT innodb_lock_wait_timeout = 0 FOR " : "";
        String sql = database.dialect() == Dialect.H2
                ? "MERGE INTO batchsqs_inbox t USING (VALUES "
                        + Database.repeated(
                                "(CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS BIGINT), CAST(? AS BIGINT))",
                                ids.size())
                        + ") v " + columns + " ON t.queue = v.queue AND t.id = v.id WHEN NOT MATCHED THEN INSERT "
                        + columns
                        + " VALUES (v.queue, v.id, v.claim, v.processed_at)"
                : wait + "INSERT IGNORE INTO batchsqs_inbox " + columns + " VALUES "
                        + Database.repeated("(?, ?, ?, ?)", ids.size());
        return jdbc.update(sql, values.toArray());
    }

    /** Returns those of the ids that this claim has recorded. */
    Set<String> claimedAmong(String queue, long claim, List<String> ids) {
        return select(ids, "queue = ? AND claim = ?", queue, claim);
    }

    /** Returns those of the ids that a committed transaction has recorded. */
    Set<String> recordedAmong(String queue, List<String> ids) {
        return select(ids, "queue = ?", queue);
    }

    private Set<String> select(List<String> ids, String where, Object... values) {
        List<Object> all = new ArrayList<>(Arrays.asList(values));
        all.addAll(ids);
        String sql = "SELECT id FROM batchsqs_inbox WHERE " + where + " AND id IN ("
                + Database.repeated("?", ids.size()) + ")";
        return new HashSet<>(database.jdbc().queryForList(sql, String.class, all.toArray()));
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
}
