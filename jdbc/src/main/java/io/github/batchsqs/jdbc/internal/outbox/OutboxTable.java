/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.StoredMessage;
import io.github.batchsqs.internal.support.Hashes;
import io.github.batchsqs.internal.support.Utf8;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.jdbc.internal.Dialect;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;

/**
 * The statements on the table of messages that are to be sent. All run in the transaction of the thread, and all times are those of the
 * database.
 *
 * <p>A row belongs to its owner while that instance is alive, which a row of the table of locks says. A row of a standard queue is born
 * with the owner that stored it, and its owner sends it without a further statement. A row of a FIFO queue has an owner only while
 * it is sent: then the later rows of its group wait. Each other row is free.
 */
final class OutboxTable {

    static final String NAME = "batchsqs_outbox";
    static final String LOCK = "batchsqs_outbox_lock";

    /** The row that who claims has locked; the others are instances. */
    private static final String CLAIM = "claim";

    private static final int MAX_ERROR = 1_000;

    /** Rows beyond this number are not counted. */
    private static final int MAX_COUNT = 100_000;

    /** The maximum number of rows of a statement. Databases limit the number of parameters, and the size of a packet. */
    static final int MAX_ROWS = 500;

    private static final long MAX_BYTES = 4 << 20;

    /** All that are written when a message is stored. */
    private static final String COLUMNS = "client, queue, group_key, group_id, deduplication_id, delay_seconds,"
            + " attributes, body, bytes, owner, due_at, attempts, created_at";

    private final Database database;

    OutboxTable(Database database) {
        this.database = database;
    }

    private String now() {
        return database.dialect().now();
    }

    /** Runs the kinds of statements, so that a column or a permission that is missing ends the start. The transaction is rolled back. */
    void tryStatements() {
        for (String sql : List.of(
                "UPDATE batchsqs_outbox SET owner = NULL, due_at = 0, attempts = 0, failed_at = NULL, error = NULL",
                "DELETE FROM batchsqs_outbox",
                "INSERT INTO batchsqs_outbox_lock (id, alive_until) SELECT id, alive_until FROM batchsqs_outbox_lock",
                "UPDATE batchsqs_outbox_lock SET alive_until = alive_until, open_from = open_from",
                "DELETE FROM batchsqs_outbox_lock")) {
            int ignored = update(sql + " WHERE 1 = 0");
        }
        int ignored = update( // an error that does not fit would stop the relay
                "INSERT INTO batchsqs_outbox (" + COLUMNS + ", error)"
                        + " VALUES ('', '', '', '', '', 0, '', '', 0, '', 0, 0, 0, ?)",
                "x".repeat(MAX_ERROR));
    }

    /**
     * Inserts messages, in order.
     *
     * @param owner who sends those that need no look: they have no group, and are due; {@code null} for any instance
     * @return the rows, in order
     */
    List<OutboxRow> insert(String client, List<KeptMessage> messages, @Nullable String owner) {
        List<OutboxRow> rows = new ArrayList<>(messages.size());
        List<OutboxRow> some = new ArrayList<>();
        List<@Nullable Object> values = new ArrayList<>();
        long bytes = 0;
        for (KeptMessage message : messages) {
            String attributes = AttributeText.of(message.entry().attributes());
            // attributes are stored as ASCII
            long size = Utf8.length(message.entry().body()) + (attributes == null ? 0L : attributes.length());
            if (!some.isEmpty() && (some.size() == MAX_ROWS || bytes + size > MAX_BYTES)) {
                rows.addAll(insert(some, values));
                some.clear();
                values.clear();
                bytes = 0;
            }
            OutboxRow row = row(client, message, size, owner);
            add(values, row, attributes, message.deliverAt());
            some.add(row);
            bytes += size;
        }
        rows.addAll(insert(some, values));
        return rows;
    }

    private List<OutboxRow> insert(List<OutboxRow> rows, List<@Nullable Object> values) {
        String row = "(" + Database.repeated("?", values.size() / rows.size()) + ", " + now() + ")";
        String sql = "INSERT INTO batchsqs_outbox (" + COLUMNS + ") VALUES " + Database.repeated(row, rows.size());
        List<Long> ids = insert(sql, values.toArray());
        if (ids.size() != rows.size()) {
            throw new IllegalStateException(ids.size() + " of " + rows.size() + " messages were stored");
        }
        List<OutboxRow> inserted = new ArrayList<>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            inserted.add(rows.get(i).withId(ids.get(i)));
        }
        return inserted;
    }

    /** Returns the ids, in the order of the values. The driver of MariaDB itself knows the first one alone. */
    private List<Long> insert(String sql, @Nullable Object[] values) {
        boolean returning = database.dialect() == Dialect.MARIADB;
        PreparedStatementCreator creator = connection -> returning
                ? connection.prepareStatement(sql + " RETURNING id")
                : connection.prepareStatement(sql, new String[] {"id"});
        PreparedStatementCallback<List<Long>> insert = statement -> {
            new ArgumentPreparedStatementSetter(values).setValues(statement);
            boolean unused = statement.execute();
            try (ResultSet rows = returning ? statement.getResultSet() : statement.getGeneratedKeys()) {
                List<Long> ids = new ArrayList<>();
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
                Collections.sort(ids);
                return ids;
            }
        };
        return Objects.requireNonNull(database.jdbc().execute(creator, insert));
    }

    private static void add(
            List<@Nullable Object> values, OutboxRow row, @Nullable String attributes, @Nullable Instant deliverAt) {
        SendEntry entry = row.message().entry();
        Duration delay = entry.delay();
        Collections.addAll(
                values,
                row.destination().client(),
                row.destination().queue(),
                row.candidate().groupKey(),
                entry.groupId(),
                entry.deduplicationId(),
                delay == null ? null : Math.toIntExact(delay.toSeconds()),
                attributes,
                entry.body(),
                row.candidate().bytes(),
                row.candidate().owner(),
                deliverAt == null ? 0L : Math.max(1, deliverAt.toEpochMilli()),
                0);
    }

    private static OutboxRow row(String client, KeptMessage message, long bytes, @Nullable String owner) {
        String queue = message.queue();
        String group = message.fifo()
                ? Hashes.sha256(client + "\n" + queue + "\n" + message.entry().groupId())
                : null;
        String own = message.fifo() || message.deliverAt() != null ? null : owner;
        var candidate = new Candidate(0, new Destination(client, queue), group, bytes, own, false);
        return new OutboxRow(candidate, new StoredMessage(queue, message.entry(), group), 0, null);
    }

    /**
     * Returns this table for a transaction of the relay. A connection of PostgreSQL keeps plans: one that was made while the table was empty, as
     * it often is, would read all rows of a burst in each statement. Before PostgreSQL 18 a scan that is switched off is priced so high that JIT
     * would compile it. The time limit is for a host that vanishes: TCP notices that after hours.
     */
    OutboxTable begun() {
        if (database.dialect() == Dialect.POSTGRESQL) {
            int ignored = update(
                    "SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL jit = off;"
                            + " SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL idle_in_transaction_session_timeout = '5s'");
        }
        return this;
    }

    /** Locks out other claims until the end of the transaction; returns whether nobody else claims now. Waits for nobody. */
    boolean lock() {
        return !ids("SELECT id FROM batchsqs_outbox_lock WHERE id = ? FOR UPDATE SKIP LOCKED", CLAIM)
                .isEmpty();
    }

    /** Inserts a row that only this transaction sees. If it is committed and stays, it is that of a dead instance. */
    void mark(String id) {
        int ignored = update("INSERT INTO batchsqs_outbox_lock (id, alive_until) VALUES (?, " + now() + ")", id);
    }

    /** Deletes a row of the locks; returns whether it was there. */
    boolean unmark(String id) {
        return update("DELETE FROM batchsqs_outbox_lock WHERE id = ?", id) == 1;
    }

    /**
     * Lets an instance live for so long from now on; returns whether it lived until now.
     *
     * @param open the lowest id of rows that it has stored and not committed yet
     */
    boolean live(String owner, Duration lease, long open) {
        String sql = "UPDATE batchsqs_outbox_lock SET open_from = ?, alive_until = " + now()
                + " + ? WHERE id = ? AND alive_until >= " + now();
        return update(sql, open, lease.toMillis(), owner) == 1;
    }

    /** Records a new instance, and forgets those that have been dead for long; returns the number of new ones. */
    int born(String owner, Duration lease, long open) {
        if (ids("SELECT id FROM batchsqs_outbox_lock WHERE id = ?", CLAIM).isEmpty()) { // claims lock it
            int ignored =
                    update("INSERT INTO batchsqs_outbox_lock (id, alive_until) VALUES (?, ?)", CLAIM, Long.MAX_VALUE);
        }
        for (String dead : ids("SELECT id FROM batchsqs_outbox_lock WHERE alive_until < " + now() + " - 600000")) {
            boolean unused = unmark(dead); // by its key: otherwise it would wait for each transaction that has a mark
        }
        String sql = "INSERT INTO batchsqs_outbox_lock (id, open_from, alive_until) VALUES (?, ?, " + now() + " + ?)";
        return update(sql, owner, open, lease.toMillis());
    }

    /** Returns the instances that are alive, each with the lowest id of the rows that it has stored and not committed yet. */
    Map<String, Long> alive() {
        Map<String, Long> alive = new HashMap<>();
        RowCallbackHandler each = row -> alive.put(row.getString(1), row.getLong(2));
        database.jdbc().query("SELECT id, open_from FROM batchsqs_outbox_lock WHERE alive_until >= " + now(), each);
        return alive;
    }

    /** Returns the highest id of all rows that are committed now, or this one if none is higher. Passes over no older rows, deleted or not. */
    long highest(long atLeast) {
        Long higher =
                database.jdbc().queryForObject("SELECT MAX(id) FROM batchsqs_outbox WHERE id > ?", Long.class, atLeast);
        return higher == null ? atLeast : higher;
    }

    /**
     * Returns due rows, in order, and {@link #MAX_ROWS} at most: those of FIFO queues, and those of standard queues without an owner among the senders.
     * Rows of a later time have an index, which finds those that have come due behind any others.
     *
     * @param without the destinations to leave out
     * @param withoutGroups the groups to leave out
     * @param from the lowest id
     * @param later the lowest id of rows that had a later time
     */
    List<Candidate> due(
            Set<String> senders,
            Collection<Destination> without,
            Collection<String> withoutGroups,
            long from,
            long later) {
        List<Object> values = new ArrayList<>(List.of(from, "")); // SQL has no empty list
        values.addAll(senders);
        var where = new StringBuilder(" AND id >= ? AND failed_at IS NULL"
                + " AND (group_key IS NOT NULL OR owner IS NULL OR owner NOT IN " + marks(senders.size() + 1) + ")");
        for (Destination each : without) {
            where.append(" AND NOT (client = ? AND queue = ?)");
            Collections.addAll(values, each.client(), each.queue());
        }
        if (!withoutGroups.isEmpty()) {
            where.append(" AND (group_key IS NULL OR group_key NOT IN ")
                    .append(marks(withoutGroups.size()))
                    .append(")");
            values.addAll(withoutGroups);
        }
        RowMapper<Candidate> mapper = (row, number) -> new Candidate(
                row.getLong(1),
                new Destination(row.getString(2), row.getString(3)),
                row.getString(4),
                row.getLong(5),
                row.getString(6),
                row.getLong(7) > 0);
        String some =
                "SELECT * FROM (SELECT id, client, queue, group_key, bytes, owner, due_at FROM batchsqs_outbox WHERE ";
        String first = " ORDER BY id LIMIT " + MAX_ROWS;
        String sql = some + "due_at = 0" + where + first + ") a UNION ALL " + some + "due_at > 0 AND " + isDue() + where
                + first + ") b" + first;
        List<Object> ofLater = new ArrayList<>(values);
        ofLater.set(0, later);
        values.addAll(ofLater);
        return database.jdbc().query(sql, mapper, values.toArray());
    }

    /** Returns the groups of which these instances send rows. Reads all rows that are due. */
    List<String> sentBy(Collection<String> senders) {
        List<Object> values = new ArrayList<>(List.of("")); // as above
        values.addAll(senders);
        String some =
                "SELECT group_key FROM batchsqs_outbox WHERE failed_at IS NULL AND group_key IS NOT NULL AND owner IN "
                        + marks(values.size()) + " AND ";
        values.addAll(List.copyOf(values));
        return ids(some + "due_at = 0 UNION " + some + "due_at > 0 AND " + isDue(), values.toArray());
    }

    /** A condition that an index decides: the time is one value for the whole statement. */
    private String isDue() {
        return "due_at <= (SELECT " + now() + ")";
    }

    /** Gives rows to an owner. */
    void take(Collection<Long> ids, String owner) {
        int ignored = change("UPDATE batchsqs_outbox SET owner = ? WHERE ", ids, owner);
    }

    /** Returns these rows of an owner, in order; those that have gone since are missing. */
    List<OutboxRow> read(Collection<Long> ids, String owner) {
        RowMapper<OutboxRow> mapper = (row, number) -> row(row);
        List<Object> values = new ArrayList<>(List.of(owner));
        String sql = "SELECT id, client, queue, group_key, group_id, deduplication_id, delay_seconds,"
                + " attributes, bytes, body, attempts FROM batchsqs_outbox WHERE owner = ? AND "
                + oneOf(ids, values) + " AND failed_at IS NULL ORDER BY id";
        return database.jdbc().query(sql, mapper, values.toArray());
    }

    private static OutboxRow row(ResultSet row) throws SQLException {
        int seconds = row.getInt("delay_seconds");
        Duration delay = row.wasNull() ? null : Duration.ofSeconds(seconds);
        Map<String, MessageAttribute> attributes = Map.of();
        String unreadable = null;
        try {
            attributes = AttributeText.attributes(row.getString("attributes"));
        } catch (RuntimeException e) { // somebody has changed the row; the others are sent
            unreadable = "its attributes in the outbox cannot be read: " + e;
        }
        var entry = new SendEntry(
                text(row, "body"), attributes, delay, row.getString("group_id"), row.getString("deduplication_id"));
        String queue = text(row, "queue");
        String group = row.getString("group_key");
        var destination = new Destination(text(row, "client"), queue);
        return new OutboxRow(
                new Candidate(row.getLong("id"), destination, group, row.getLong("bytes"), null, false),
                new StoredMessage(queue, entry, group),
                row.getInt("attempts"),
                unreadable);
    }

    private static String text(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(row.getString(column), column);
    }

    /** Deletes rows, whoever has them. */
    int delete(Collection<Long> ids) {
        return change("DELETE FROM batchsqs_outbox WHERE ", ids);
    }

    /**
     * Frees rows for any instance, or marks them as failed.
     *
     * @param rows the attempts, the error, the id and the owner of each
     */
    void notSent(boolean failed, List<Object[]> rows) {
        String at = failed ? ", failed_at = " + now() : "";
        String sql =
                "UPDATE batchsqs_outbox SET owner = NULL, attempts = ?, error = ?" + at + " WHERE id = ? AND owner = ?";
        var unused = database.jdbc().batchUpdate(sql, rows);
    }

    /** Runs a statement that ends with the ids, whose other values come first. */
    private int change(String sql, Collection<Long> ids, Object... values) {
        List<Object> all = new ArrayList<>(Arrays.asList(values));
        return ids.isEmpty() ? 0 : update(sql + oneOf(ids, all), all.toArray());
    }

    private int update(String sql, Object... values) {
        return database.jdbc().update(sql, values);
    }

    private List<String> ids(String sql, Object... values) {
        return database.jdbc().query(sql, (row, index) -> row.getString(1), values);
    }

    /** Returns the condition that a row has one of the ids, and adds its values. On PostgreSQL the text is the same for any number. */
    private String oneOf(Collection<Long> ids, List<Object> values) {
        if (database.dialect() == Dialect.POSTGRESQL) {
            values.add(ids.stream().mapToLong(Long::longValue).toArray());
            return "id = ANY (?)";
        }
        values.addAll(ids);
        return "id IN " + marks(ids.size());
    }

    // ---- for operators and meters

    /**
     * The state of the table.
     *
     * @param error why one of the messages that wait could not be sent, or {@code null}
     */
    record Backlog(
            long waiting,
            Duration oldest,
            long failed,
            @Nullable String error) {

        static final Backlog NONE = new Backlog(0, Duration.ZERO, 0, null);
    }

    /** Returns how many rows wait and have failed, up to {@link #MAX_COUNT} of each. Rows of a later time wait from then on. */
    Backlog backlog() {
        RowMapper<Backlog> mapper = (row, number) -> new Backlog(
                row.getLong(1), Duration.ofMillis(Math.max(0, row.getLong(2))), row.getLong(4), row.getString(3));
        String sql = "SELECT COUNT(*), " + now()
                + " - MIN(CASE WHEN due_at > created_at THEN due_at ELSE created_at END), MIN(error),"
                + " (SELECT COUNT(*) FROM (SELECT id FROM batchsqs_outbox WHERE failed_at IS NOT NULL AND " + isDue()
                + " LIMIT " + MAX_COUNT + ") f) FROM (SELECT created_at, due_at, error FROM batchsqs_outbox"
                + " WHERE failed_at IS NULL AND " + isDue() + " ORDER BY due_at, id LIMIT " + MAX_COUNT + ") w";
        return database.jdbc().query(sql, mapper).getFirst();
    }

    /** Returns the first rows that wait, those with an error and those that are due before the others, or that have failed. */
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
        String sql = "SELECT id, client, queue, group_id, created_at, due_at, failed_at, attempts, error FROM"
                + " batchsqs_outbox WHERE failed_at IS " + (failed ? "NOT NULL" : "NULL")
                + " ORDER BY CASE WHEN error IS NOT NULL THEN 0 WHEN " + isDue() + " THEN 1 ELSE 2 END, id LIMIT "
                + maximum;
        return database.jdbc().query(sql, mapper);
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    /**
     * Frees a row, or all failed ones, as if their time had come now; returns how many there were. The owner stays: it may be sending
     * the row at this moment.
     */
    int retry(@Nullable Long id) {
        String sql = "UPDATE batchsqs_outbox SET failed_at = NULL, error = NULL, attempts = 0, due_at = " + now()
                + " WHERE ";
        return id == null ? update(sql + "failed_at IS NOT NULL") : update(sql + "id = ?", id);
    }

    /** Marks a row that waits as failed, which ends its wait for a time; returns how many there were. */
    int park(long id) {
        String sql = "UPDATE batchsqs_outbox SET due_at = 0, failed_at = " + now()
                + ", error = CASE WHEN error IS NULL THEN 'parked by an operator' ELSE error END"
                + " WHERE failed_at IS NULL AND id = ?";
        return update(sql, id);
    }

    /** PostgreSQL refuses U+0000; an outcome that cannot be written would stop the relay. */
    static String cut(String error) {
        String text = error.replace('\u0000', '?');
        return text.length() <= MAX_ERROR ? text : text.substring(0, MAX_ERROR);
    }

    private static String marks(int count) {
        return "(" + Database.repeated("?", count) + ")";
    }
}
