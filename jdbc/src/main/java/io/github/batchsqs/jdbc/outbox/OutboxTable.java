/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.StoredMessage;
import io.github.batchsqs.internal.support.Utf8;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.jdbc.internal.Dialect;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.PreparedStatement;
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
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.support.GeneratedKeyHolder;

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
     * @param owner who sends those to standard queues; {@code null} for any instance
     * @return the lowest id, or 0 if it is not known
     */
    long insert(String client, List<String> keys, List<KeptMessage> messages, @Nullable String owner) {
        long lowest = Long.MAX_VALUE;
        int from = 0;
        while (from < messages.size()) {
            List<@Nullable Object> values = new ArrayList<>();
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
                add(values, client, keys.get(to), message, attributes, size, owner);
                to++;
            }
            String row = "(" + repeated("?", values.size() / (to - from)) + ", " + now() + ")";
            String sql = "INSERT INTO batchsqs_outbox (" + COLUMNS + ") VALUES " + repeated(row, to - from);
            lowest = Math.min(lowest, insert(sql, values, to - from));
            from = to;
        }
        return lowest;
    }

    private long insert(String sql, List<@Nullable Object> values, int count) {
        var setter = new ArgumentPreparedStatementSetter(values.toArray());
        var keys = new GeneratedKeyHolder();
        int inserted = database.jdbc()
                .update(
                        connection -> {
                            PreparedStatement statement = connection.prepareStatement(sql, new String[] {"id"});
                            setter.setValues(statement);
                            return statement;
                        },
                        keys);
        if (inserted != count) {
            throw new IllegalStateException(inserted + " of " + count + " messages were stored");
        }
        return keys.getKeyList().stream()
                .flatMap(each -> each.values().stream())
                .mapToLong(each -> ((Number) each).longValue())
                .min()
                .orElse(0);
    }

    /** Attributes are stored as ASCII. */
    private static long size(SendEntry entry, @Nullable String attributes) {
        return Utf8.length(entry.body()) + (attributes == null ? 0L : attributes.length());
    }

    private static void add(
            List<@Nullable Object> values,
            String client,
            String key,
            KeptMessage message,
            @Nullable String attributes,
            long size,
            @Nullable String owner) {
        SendEntry entry = message.entry();
        Duration delay = entry.delay();
        Instant deliverAt = message.deliverAt();
        Collections.addAll(
                values,
                client,
                message.queue(),
                message.fifo() ? groupKey(client, message.queue(), String.valueOf(entry.groupId())) : null,
                key,
                entry.groupId(),
                entry.deduplicationId(),
                delay == null ? null : Math.toIntExact(delay.toSeconds()),
                entry.traceHeader(),
                attributes,
                entry.body(),
                size,
                message.fifo() ? null : owner,
                deliverAt == null ? 0L : deliverAt.toEpochMilli(),
                0);
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
     * Returns due rows, in order: those of FIFO queues, and free ones of standard queues.
     *
     * @param without the destinations to leave out
     * @param withoutGroups the groups to leave out
     * @param from the lowest id
     */
    List<Found> due(
            Set<String> alive,
            Collection<Destination> without,
            Collection<String> withoutGroups,
            long from,
            int maximum) {
        List<Object> values = new ArrayList<>(List.of(from));
        values.addAll(alive);
        var where = new StringBuilder("id >= ? AND failed_at IS NULL AND due_at <= " + now()
                + " AND (group_key IS NOT NULL OR owner IS NULL OR owner NOT IN " + marks(alive.size()) + ")");
        exclude(without, where, values);
        if (!withoutGroups.isEmpty()) {
            where.append(" AND (group_key IS NULL OR group_key NOT IN ")
                    .append(marks(withoutGroups.size()))
                    .append(")");
            values.addAll(withoutGroups);
        }
        return find(where, values, maximum);
    }

    /** Returns the due rows of standard queues that belong to an owner, in order. */
    List<Candidate> own(String owner, Collection<Destination> without, long from, int maximum) {
        List<Object> values = new ArrayList<>(List.of(from, owner));
        var where = new StringBuilder(
                "id >= ? AND owner = ? AND group_key IS NULL AND failed_at IS NULL AND due_at <= " + now());
        exclude(without, where, values);
        return find(where, values, maximum).stream().map(Found::row).toList();
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
        int ignored = update("UPDATE batchsqs_outbox SET owner = ? WHERE id IN ", ids, owner);
    }

    /** Returns these rows of an owner, in order; those that have gone since are missing. */
    List<OutboxRow> read(Collection<Long> ids, String owner) {
        RowMapper<OutboxRow> mapper = (row, number) -> row(row);
        List<Object> values = new ArrayList<>(ids);
        values.add(owner);
        return database.jdbc()
                .query(
                        "SELECT id, client, queue, group_key, message_key, group_id, deduplication_id, delay_seconds,"
                                + " trace_header, attributes, body, attempts FROM batchsqs_outbox WHERE id IN "
                                + marks(ids.size()) + " AND owner = ? AND failed_at IS NULL ORDER BY id",
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
        return new OutboxRow(
                row.getLong("id"),
                new Destination(text(row, "client"), text(row, "queue")),
                new StoredMessage(text(row, "queue"), entry, row.getString("group_key")),
                text(row, "message_key"),
                row.getInt("attempts"),
                unreadable);
    }

    private static String text(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(row.getString(column), column);
    }

    /** Deletes rows, whoever has them. */
    int delete(Collection<Long> ids) {
        return update("DELETE FROM batchsqs_outbox WHERE id IN ", ids);
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
        all.addAll(ids);
        return database.jdbc().update(sql + marks(ids.size()), all.toArray());
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
