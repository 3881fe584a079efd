/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.jdbc.support.Database;
import io.github.batchsqs.jdbc.support.Dialect;
import io.github.batchsqs.send.KeptMessage;
import io.github.batchsqs.send.StoredMessage;
import io.github.batchsqs.support.Utf8;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/**
 * The statements on the table of messages that are to be sent. All run in the transaction of the thread.
 *
 * <p>A row may be sent by its owner at any time, and by any instance from {@code due_at} on, which is the end of a lease or of a pause.
 * So the rows that block others of their group are those whose {@code due_at} is in the future, which an index finds.
 */
final class OutboxTable {

    static final String NAME = "batchsqs_outbox";
    static final String LOCK = "batchsqs_outbox_lock";

    private static final int MAX_ERROR = 1_000;

    /** The limits of a statement that inserts. Databases limit the number of parameters and the size of a packet. */
    private static final int MAX_ROWS = 500;

    private static final long MAX_BYTES = 4 << 20;

    /** All that are written when a message is stored. */
    static final String COLUMNS =
            "client, queue, queue_name, queue_identity, group_key, message_key, group_id, deduplication_id,"
                    + " delay_seconds, trace_header, attributes, body, bytes, created_at, owner, due_at, attempts";

    private final Database database;

    OutboxTable(Database database) {
        this.database = database;
    }

    /**
     * Inserts messages, in order.
     *
     * @param keys the key of each
     * @param owner who alone may send them before they are due; {@code null} for none
     */
    void insert(
            String client,
            List<String> keys,
            List<KeptMessage> messages,
            @Nullable String owner,
            long now,
            long dueAt) {
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
                add(values, client, keys.get(to), message, attributes, size, now);
                Collections.addAll(values, owner, dueAt, 0);
                to++;
            }
            String row = marks(values.size() / (to - from));
            int inserted = database.jdbc()
                    .update(
                            "INSERT INTO batchsqs_outbox (" + COLUMNS + ") VALUES " + repeated(row, to - from),
                            values.toArray());
            if (inserted != to - from) {
                throw new IllegalStateException(inserted + " of " + (to - from) + " messages were stored");
            }
            from = to;
        }
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
            long now) {
        SendEntry entry = message.entry();
        Duration delay = entry.delay();
        Collections.addAll(
                values,
                client,
                message.queue(),
                nameOf(message.queue()),
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
                now);
    }

    private static String nameOf(String queue) {
        return queue.substring(Math.max(queue.lastIndexOf('/'), queue.lastIndexOf(':')) + 1);
    }

    private static String groupKey(String client, String queueIdentity, String groupId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(String.join("\n", client, queueIdentity, groupId).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }

    /** Waits until no other instance claims, and locks it out until the end of the transaction. */
    void lock() {
        endWithInstance();
        if (database.jdbc()
                .queryForList("SELECT id FROM batchsqs_outbox_lock WHERE id = 1 FOR UPDATE")
                .isEmpty()) {
            int one = database.jdbc().update("INSERT INTO batchsqs_outbox_lock (id) VALUES (1)");
            if (one != 1) {
                throw new IllegalStateException("The row of batchsqs_outbox_lock was not inserted");
            }
        }
    }

    /** Ends the transaction, and its lock, soon after the instance has vanished; otherwise TCP notices that after hours. */
    private void endWithInstance() {
        if (database.dialect() == Dialect.POSTGRESQL) {
            database.jdbc().execute("SET LOCAL idle_in_transaction_session_timeout = '15s'");
        }
    }

    /** Inserts a row that only this transaction sees, unless it is committed. */
    void mark(int id) {
        int one = database.jdbc().update("INSERT INTO batchsqs_outbox_lock (id) VALUES (?)", id);
        if (one != 1) {
            throw new IllegalStateException("A row of batchsqs_outbox_lock was not inserted");
        }
    }

    /** Deletes such a row; returns whether it was there. */
    boolean unmark(int id) {
        return database.jdbc().update("DELETE FROM batchsqs_outbox_lock WHERE id = ?", id) == 1;
    }

    /** Returns whether a row is due, or belongs to the owner. */
    boolean anyDue(String owner, Collection<Destination> without, long now) {
        List<Object> values = new ArrayList<>();
        String sql = "SELECT id FROM batchsqs_outbox WHERE " + due(owner, without, List.of(), 0, now, values)
                + " ORDER BY id LIMIT 1";
        return !database.jdbc().queryForList(sql, Long.class, values.toArray()).isEmpty();
    }

    /**
     * A row that may be sent by itself.
     *
     * @param blocked whether another row of its message group has to be sent before
     */
    record Found(Candidate row, boolean blocked) {}

    /**
     * Returns the first rows that are due, and those of the owner, in order. Another row blocks those behind it in its group if it is
     * neither; and so do, for this page, all rows of the group before the page.
     *
     * <p>One statement reads both: rows that another instance releases between two statements would be in neither result.
     *
     * @param without the destinations to leave out
     * @param withoutGroups the groups to leave out
     * @param after the id behind which the rows begin
     */
    List<Found> candidates(
            String owner,
            Collection<Destination> without,
            Collection<String> withoutGroups,
            long after,
            long now,
            int maximum) {
        List<Object> values = new ArrayList<>();
        String page = "SELECT id, client, queue_identity, queue_name, group_key, bytes FROM batchsqs_outbox WHERE "
                + due(owner, without, withoutGroups, after, now, values) + " ORDER BY id LIMIT " + maximum;
        String blocking = "SELECT group_key, MIN(id) AS first_id FROM batchsqs_outbox"
                + " WHERE group_key IN (SELECT group_key FROM page) AND failed_at IS NULL"
                + " AND (due_at > ? AND (owner IS NULL OR owner <> ?)" + (after > 0 ? " OR id <= ?)" : ")")
                + " GROUP BY group_key";
        Collections.addAll(values, now, owner);
        if (after > 0) {
            values.add(after);
        }
        RowMapper<Found> mapper = (row, number) -> new Found(
                new Candidate(
                        row.getLong(1),
                        new Destination(row.getString(2), row.getString(3), row.getString(4)),
                        row.getString(5),
                        row.getLong(6)),
                row.getInt(7) == 1);
        return database.jdbc()
                .query(
                        "WITH page AS (" + page + "), blocking AS (" + blocking + ")"
                                + " SELECT page.id, page.client, page.queue_identity, page.queue_name, page.group_key,"
                                + " page.bytes, CASE WHEN blocking.first_id < page.id THEN 1 ELSE 0 END"
                                + " FROM page LEFT JOIN blocking ON blocking.group_key = page.group_key ORDER BY page.id",
                        mapper,
                        values.toArray());
    }

    /** Returns the condition for rows that are due, or belong to the owner; adds its values. */
    private static String due(
            String owner,
            Collection<Destination> without,
            Collection<String> withoutGroups,
            long after,
            long now,
            List<Object> values) {
        var sql = new StringBuilder("failed_at IS NULL AND id > ? AND (due_at <= ? OR owner = ?)");
        Collections.addAll(values, after, now, owner);
        for (Destination each : without) {
            sql.append(" AND NOT (client = ? AND queue_identity = ?)");
            values.add(each.client());
            values.add(each.queueIdentity());
        }
        if (!withoutGroups.isEmpty()) {
            sql.append(" AND (group_key IS NULL OR group_key NOT IN ")
                    .append(marks(withoutGroups.size()))
                    .append(")");
            values.addAll(withoutGroups);
        }
        return sql.toString();
    }

    /** Gives rows to an owner; returns how many there were. */
    int lease(Collection<Long> ids, String owner, long until) {
        return update("UPDATE batchsqs_outbox SET owner = ?, due_at = ? WHERE id IN ", ids, owner, until);
    }

    /** Makes the leases of an owner longer. */
    int renew(Collection<Long> ids, String owner, long until) {
        return update("UPDATE batchsqs_outbox SET due_at = ? WHERE owner = ? AND id IN ", ids, until, owner);
    }

    /** Ends the leases of an owner. */
    int release(String owner, long now) {
        return database.jdbc()
                .update("UPDATE batchsqs_outbox SET owner = NULL, due_at = ? WHERE owner = ?", now, owner);
    }

    /** Returns these rows, in order; those that another instance has deleted or leased since are missing. */
    List<OutboxRow> read(Collection<Long> ids, String owner) {
        RowMapper<OutboxRow> mapper = (row, number) -> row(row);
        List<Object> values = new ArrayList<>(ids);
        values.add(owner);
        return database.jdbc()
                .query(
                        "SELECT id, client, queue, queue_name, queue_identity, group_key, message_key, group_id, deduplication_id,"
                                + " delay_seconds, trace_header, attributes, body, attempts FROM batchsqs_outbox WHERE id IN "
                                + marks(ids.size()) + " AND owner = ? ORDER BY id",
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
                new Destination(text(row, "client"), text(row, "queue_identity"), text(row, "queue_name")),
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

    /** Returns rows of this owner, to be sent by any instance when they are due. */
    void later(List<Outcome.Later> rows, String owner) {
        List<Object[]> values = rows.stream()
                .map(each -> new Object[] {
                    each.dueAt(), each.attempts(), cut(each.error()), each.row().id(), owner
                })
                .toList();
        if (!values.isEmpty()) {
            var unused = database.jdbc()
                    .batchUpdate(
                            "UPDATE batchsqs_outbox SET owner = NULL, due_at = ?, attempts = ?, error = ?"
                                    + " WHERE id = ? AND owner = ?",
                            values);
        }
    }

    /** Marks rows of this owner as failed. */
    void refused(List<Outcome.Refused> rows, String owner, long now) {
        List<Object[]> values = rows.stream()
                .map(each -> new Object[] {
                    now,
                    now,
                    each.row().attempts() + 1,
                    cut(each.error()),
                    each.row().id(),
                    owner
                })
                .toList();
        if (!values.isEmpty()) {
            var unused = database.jdbc()
                    .batchUpdate(
                            "UPDATE batchsqs_outbox SET owner = NULL, due_at = ?, failed_at = ?, attempts = ?,"
                                    + " error = ? WHERE id = ? AND owner = ?",
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
