/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.StoredMessage;
import io.github.batchsqs.internal.support.Utf8;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.jdbc.internal.Dialect;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.PreparedStatementCallback;
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

    /** The limits of a statement that inserts. Databases limit the number of parameters and the size of a packet. */
    private static final int MAX_ROWS = 500;

    private static final long MAX_BYTES = 4 << 20;

    /** All that are written when a message is stored. */
    static final String COLUMNS =
            "client, queue, group_key, message_key, group_id, deduplication_id, delay_seconds, trace_header,"
                    + " attributes, body, bytes, owner, due_at, attempts, created_at";

    /** The owner stays: it may be sending the row at this moment. */
    private static final String FREE =
            "UPDATE batchsqs_outbox SET failed_at = NULL, error = NULL, attempts = 0, due_at = 0 WHERE ";

    private final Database database;

    OutboxTable(Database database) {
        this.database = database;
    }

    private String now() {
        return database.dialect().now();
    }

    /**
     * Inserts messages, in order.
     *
     * @param keys the key of each
     * @param owner who sends those that {@link #isOwned are owned}; {@code null} for any instance
     * @return the rows, in order
     */
    List<OutboxRow> insert(String client, List<String> keys, List<KeptMessage> messages, @Nullable String owner) {
        List<OutboxRow> rows = new ArrayList<>(messages.size());
        int from = 0;
        while (from < messages.size()) {
            List<@Nullable Object> values = new ArrayList<>();
            List<OutboxRow> some = new ArrayList<>();
            long bytes = 0;
            int to = from;
            while (to < messages.size() && to - from < MAX_ROWS) {
                KeptMessage message = messages.get(to);
                String attributes = AttributeText.of(message.entry().attributes());
                long size = size(message.entry(), attributes);
                if (to > from && bytes + size > MAX_BYTES) {
                    break;
                }
                bytes += size;
                OutboxRow row = row(client, keys.get(to), message, size);
                add(values, row, message, attributes, owner);
                some.add(row);
                to++;
            }
            String row = "(" + repeated("?", values.size() / (to - from)) + ", " + now() + ")";
            String sql = "INSERT INTO batchsqs_outbox (" + COLUMNS + ") VALUES " + repeated(row, to - from);
            List<Long> ids = insert(sql, values, keys.subList(from, to));
            for (int i = 0; i < some.size(); i++) {
                rows.add(some.get(i).withId(ids.get(i)));
            }
            from = to;
        }
        return rows;
    }

    /** Returns the ids, in the order of the values. The driver of MariaDB knows the first one alone. */
    private List<Long> insert(String sql, List<@Nullable Object> values, List<String> keys) {
        var setter = new ArgumentPreparedStatementSetter(values.toArray());
        List<Long> ids = Objects.requireNonNull(database.jdbc()
                .execute(
                        connection -> connection.prepareStatement(sql, new String[] {"id"}),
                        (PreparedStatementCallback<List<Long>>) statement -> {
                            setter.setValues(statement);
                            int unused = statement.executeUpdate();
                            return ids(statement.getGeneratedKeys());
                        }));
        if (!ids.isEmpty() && ids.size() < keys.size()) {
            List<Object> all = new ArrayList<>(List.of(ids.getFirst()));
            all.addAll(keys);
            ids = database.jdbc()
                    .query(
                            "SELECT id FROM batchsqs_outbox WHERE id >= ? AND message_key IN " + marks(keys.size())
                                    + " ORDER BY id",
                            (rows, row) -> rows.getLong(1),
                            all.toArray());
        }
        if (ids.size() != keys.size()) {
            throw new IllegalStateException(ids.size() + " of " + keys.size() + " messages were stored");
        }
        return ids;
    }

    private static List<Long> ids(ResultSet keys) throws SQLException {
        try (keys) {
            List<Long> ids = new ArrayList<>();
            while (keys.next()) {
                ids.add(keys.getLong(1));
            }
            Collections.sort(ids);
            return ids;
        }
    }

    /** Returns whether the row is born with an owner, who need not look for it: it has no group, and is due. */
    static boolean isOwned(KeptMessage message) {
        return !message.fifo() && message.deliverAt() == null;
    }

    /** Attributes are stored as ASCII. */
    private static long size(SendEntry entry, @Nullable String attributes) {
        return Utf8.length(entry.body()) + (attributes == null ? 0L : attributes.length());
    }

    private static void add(
            List<@Nullable Object> values,
            OutboxRow row,
            KeptMessage message,
            @Nullable String attributes,
            @Nullable String owner) {
        SendEntry entry = message.entry();
        Duration delay = entry.delay();
        Instant deliverAt = message.deliverAt();
        Collections.addAll(
                values,
                row.destination().client(),
                row.destination().queue(),
                row.candidate().groupKey(),
                row.messageKey(),
                entry.groupId(),
                entry.deduplicationId(),
                delay == null ? null : Math.toIntExact(delay.toSeconds()),
                entry.traceHeader(),
                attributes,
                entry.body(),
                row.candidate().bytes(),
                isOwned(message) ? owner : null,
                deliverAt == null ? 0L : deliverAt.toEpochMilli(),
                0);
    }

    private static OutboxRow row(String client, String key, KeptMessage message, long bytes) {
        String queue = message.queue();
        String group = message.fifo()
                ? groupKey(client, queue, String.valueOf(message.entry().groupId()))
                : null;
        var candidate = new Candidate(0, new Destination(client, queue), group, bytes);
        return new OutboxRow(candidate, new StoredMessage(queue, message.entry(), group), key, 0, null);
    }

    private static String groupKey(String client, String queue, String groupId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(String.join("\n", client, queue, groupId).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }

    /** Locks out other claims until the end of the transaction; returns whether nobody else claims now. Waits for nobody. */
    boolean lock() {
        String timeout =
                database.dialect() == Dialect.POSTGRESQL // of a host that vanishes: TCP notices that after hours
                        ? ", set_config('idle_in_transaction_session_timeout', '5s', true)"
                        : "";
        return !database.jdbc()
                .queryForList(
                        "SELECT id" + timeout + " FROM batchsqs_outbox_lock WHERE id = ? FOR UPDATE SKIP LOCKED", CLAIM)
                .isEmpty();
    }

    /** Creates the row that claims lock, if it is not there. */
    void createLock() {
        if (database.jdbc()
                .queryForList("SELECT id FROM batchsqs_outbox_lock WHERE id = ?", CLAIM)
                .isEmpty()) {
            mark(CLAIM);
        }
    }

    /** Inserts a row that only this transaction sees, unless it is committed. */
    void mark(String id) {
        int one = database.jdbc()
                .update("INSERT INTO batchsqs_outbox_lock (id, alive_until) VALUES (?, ?)", id, Long.MAX_VALUE);
        if (one != 1) {
            throw new IllegalStateException("A row of batchsqs_outbox_lock was not inserted");
        }
    }

    /** Deletes a row of the locks; returns whether it was there. */
    boolean unmark(String id) {
        return database.jdbc().update("DELETE FROM batchsqs_outbox_lock WHERE id = ?", id) == 1;
    }

    /** Lets an instance live for so long from now on; returns whether it lived until now. */
    boolean live(String owner, Duration lease) {
        return database.jdbc()
                        .update(
                                "UPDATE batchsqs_outbox_lock SET alive_until = " + now()
                                        + " + ? WHERE id = ? AND alive_until >= " + now(),
                                lease.toMillis(),
                                owner)
                == 1;
    }

    /** Records a new instance, and forgets those that have been dead for long. */
    void born(String owner, Duration lease) {
        int ignored =
                database.jdbc().update("DELETE FROM batchsqs_outbox_lock WHERE alive_until < " + now() + " - 600000");
        ignored += database.jdbc()
                .update(
                        "INSERT INTO batchsqs_outbox_lock (id, alive_until) VALUES (?, " + now() + " + ?)",
                        owner,
                        lease.toMillis());
    }

    /** Returns the instances that are alive. */
    Set<String> alive() {
        return new HashSet<>(database.jdbc()
                .queryForList("SELECT id FROM batchsqs_outbox_lock WHERE alive_until >= " + now(), String.class));
    }

    /** A row that is due, and its owner, who may be dead. */
    record Found(Candidate row, @Nullable String owner) {}

    /**
     * Returns due rows, in order: those of FIFO queues, and those of standard queues without an owner among the senders.
     *
     * @param without the destinations to leave out
     * @param withoutGroups the groups to leave out
     * @param from the lowest id
     */
    List<Found> due(
            Set<String> senders,
            Collection<Destination> without,
            Collection<String> withoutGroups,
            long from,
            int maximum) {
        List<Object> values = new ArrayList<>(List.of(from));
        values.addAll(senders);
        var where = new StringBuilder("id >= ? AND failed_at IS NULL AND due_at <= " + now()
                + " AND (group_key IS NOT NULL OR owner IS NULL OR owner NOT IN " + marks(senders.size()) + ")");
        exclude(without, where, values);
        if (!withoutGroups.isEmpty()) {
            where.append(" AND (group_key IS NULL OR group_key NOT IN ")
                    .append(marks(withoutGroups.size()))
                    .append(")");
            values.addAll(withoutGroups);
        }
        return find(where, values, maximum);
    }

    private static void exclude(Collection<Destination> without, StringBuilder where, List<Object> values) {
        for (Destination each : without) {
            where.append(" AND NOT (client = ? AND queue = ?)");
            values.add(each.client());
            values.add(each.queue());
        }
    }

    private List<Found> find(CharSequence where, List<Object> values, int maximum) {
        RowMapper<Found> mapper = (row, number) -> new Found(
                new Candidate(
                        row.getLong(1),
                        new Destination(row.getString(2), row.getString(3)),
                        row.getString(4),
                        row.getLong(5)),
                row.getString(6));
        return database.jdbc()
                .query(
                        "SELECT id, client, queue, group_key, bytes, owner FROM batchsqs_outbox WHERE " + where
                                + " ORDER BY id LIMIT " + maximum,
                        mapper,
                        values.toArray());
    }

    /** Gives rows to an owner. */
    void take(Collection<Long> ids, String owner) {
        int ignored = update("UPDATE batchsqs_outbox SET owner = ? WHERE ", ids, owner);
    }

    /** Returns these rows of an owner, in order; those that have gone since are missing. */
    List<OutboxRow> read(Collection<Long> ids, String owner) {
        RowMapper<OutboxRow> mapper = (row, number) -> row(row);
        List<Object> values = new ArrayList<>(List.of(owner));
        String those = oneOf(ids, values);
        return database.jdbc()
                .query(
                        "SELECT id, client, queue, group_key, message_key, group_id, deduplication_id, delay_seconds,"
                                + " trace_header, attributes, bytes, body, attempts FROM batchsqs_outbox WHERE owner = ? AND "
                                + those + " AND failed_at IS NULL ORDER BY id",
                        mapper,
                        values.toArray());
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
                text(row, "body"),
                attributes,
                row.getString("trace_header"),
                delay,
                row.getString("group_id"),
                row.getString("deduplication_id"));
        String queue = text(row, "queue");
        String group = row.getString("group_key");
        var destination = new Destination(text(row, "client"), queue);
        return new OutboxRow(
                new Candidate(row.getLong("id"), destination, group, row.getLong("bytes")),
                new StoredMessage(queue, entry, group),
                text(row, "message_key"),
                row.getInt("attempts"),
                unreadable);
    }

    private static String text(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(row.getString(column), column);
    }

    /** Deletes rows, whoever has them. */
    int delete(Collection<Long> ids) {
        return update("DELETE FROM batchsqs_outbox WHERE ", ids);
    }

    /** Frees rows of this owner, for any instance. */
    void later(List<Outcome.Later> rows, String owner) {
        List<Object[]> values = rows.stream()
                .map(each -> new Object[] {
                    each.attempts(), cut(each.error()), each.row().id(), owner
                })
                .toList();
        if (!values.isEmpty()) {
            var unused = database.jdbc()
                    .batchUpdate(
                            "UPDATE batchsqs_outbox SET owner = NULL, attempts = ?, error = ? WHERE id = ? AND owner = ?",
                            values);
        }
    }

    /** Marks rows of this owner as failed. */
    void refused(List<Outcome.Refused> rows, String owner) {
        List<Object[]> values = rows.stream()
                .map(each -> new Object[] {
                    each.row().attempts() + 1, cut(each.error()), each.row().id(), owner
                })
                .toList();
        if (!values.isEmpty()) {
            var unused = database.jdbc()
                    .batchUpdate(
                            "UPDATE batchsqs_outbox SET owner = NULL, failed_at = " + now()
                                    + ", attempts = ?, error = ? WHERE id = ? AND owner = ?",
                            values);
        }
    }

    /** Runs a statement that ends with the ids, whose other values come first. */
    private int update(String sql, Collection<Long> ids, Object... values) {
        if (ids.isEmpty()) {
            return 0;
        }
        List<Object> all = new ArrayList<>(Arrays.asList(values));
        return database.jdbc().update(sql + oneOf(ids, all), all.toArray());
    }

    /** Returns the condition that a row has one of the ids, and adds its values. PostgreSQL takes an array, and keeps the plan. */
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

    /** Returns how many rows wait and have failed, up to a maximum of both together. Rows of a later time wait from then on. */
    Backlog backlog(int maximum) {
        RowMapper<Backlog> mapper = (row, number) -> new Backlog(
                row.getLong(1), Duration.ofMillis(Math.max(0, row.getLong(3))), row.getLong(2), row.getString(4));
        String now = now();
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
                        "UPDATE batchsqs_outbox SET failed_at = " + now()
                                + ", error = CASE WHEN error IS NULL THEN 'parked by an operator' ELSE error END"
                                + " WHERE failed_at IS NULL AND id = ?",
                        id);
    }

    /** PostgreSQL refuses U+0000; an outcome that cannot be written would stop the relay. */
    private static String cut(String error) {
        String text = error.replace('\u0000', '?');
        return text.length() <= MAX_ERROR ? text : text.substring(0, MAX_ERROR);
    }

    private static String marks(int count) {
        return "(" + repeated("?", count) + ")";
    }

    private static String repeated(String part, int count) {
        return String.join(", ", Collections.nCopies(count, part));
    }
}
