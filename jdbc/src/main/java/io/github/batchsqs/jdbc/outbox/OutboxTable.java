/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.jdbc.support.Database;
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
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;
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

    private static final String COLUMNS =
            "client, queue, queue_name, group_key, message_key, group_id, deduplication_id,"
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
            while (to < messages.size()
                    && to - from < MAX_ROWS
                    && (to == from || bytes + size(messages.get(to)) <= MAX_BYTES)) {
                KeptMessage message = messages.get(to);
                bytes += size(message);
                add(values, client, keys.get(to), message, now);
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

    private static long size(KeptMessage message) {
        return Utf8.length(message.entry().body());
    }

    private static void add(List<@Nullable Object> values, String client, String key, KeptMessage message, long now) {
        SendEntry entry = message.entry();
        Duration delay = entry.delay();
        Collections.addAll(
                values,
                client,
                message.queue(),
                message.queueName(),
                message.fifo() ? groupKey(client, message.queueName(), String.valueOf(entry.groupId())) : null,
                key,
                entry.groupId(),
                entry.deduplicationId(),
                delay == null ? null : Math.toIntExact(delay.toSeconds()),
                entry.traceHeader(),
                AttributeText.of(entry.attributes()),
                entry.body(),
                (long) Utf8.length(entry.body()),
                now);
    }

    private static String groupKey(String client, String queueName, String groupId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(String.join("\n", client, queueName, groupId).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }

    /** Waits until no other instance claims, and locks it out until the end of the transaction. */
    void lock() {
        if (database.jdbc()
                .queryForList("SELECT id FROM batchsqs_outbox_lock WHERE id = 1 FOR UPDATE")
                .isEmpty()) {
            int one = database.jdbc().update("INSERT INTO batchsqs_outbox_lock (id) VALUES (1)");
            if (one != 1) {
                throw new IllegalStateException("The row of batchsqs_outbox_lock was not inserted");
            }
        }
    }

    /**
     * Returns the first rows that may be sent by themselves, in order: those that are due, and those of the owner. Whether another row
     * of their message group has to be sent before is not looked at.
     *
     * @param without the destinations to leave out
     * @param withoutGroups the groups to leave out
     * @param after the id behind which the rows begin
     */
    List<Candidate> candidates(
            String owner,
            Collection<Destination> without,
            Collection<String> withoutGroups,
            long after,
            long now,
            int maximum) {
        var sql = new StringBuilder("SELECT id, client, queue_name, group_key, bytes FROM batchsqs_outbox"
                + " WHERE failed_at IS NULL AND id > ? AND (due_at <= ? OR owner = ?)");
        List<Object> values = new ArrayList<>(List.of(after, now, owner));
        for (Destination each : without) {
            sql.append(" AND NOT (client = ? AND queue_name = ?)");
            values.add(each.client());
            values.add(each.queueName());
        }
        if (!withoutGroups.isEmpty()) {
            sql.append(" AND (group_key IS NULL OR group_key NOT IN ")
                    .append(marks(withoutGroups.size()))
                    .append(")");
            values.addAll(withoutGroups);
        }
        sql.append(" ORDER BY id LIMIT ").append(maximum);
        RowMapper<Candidate> mapper = (row, number) -> new Candidate(
                row.getLong(1), new Destination(row.getString(2), row.getString(3)), row.getString(4), row.getLong(5));
        return database.jdbc().query(sql.toString(), mapper, values.toArray());
    }

    /** Returns the first row of each of these groups that is not due, and that is not the owner's. Those behind it may not be sent. */
    Map<String, Long> blocking(Collection<String> groups, String owner, long now) {
        Map<String, Long> found = new HashMap<>();
        if (!groups.isEmpty()) {
            List<Object> values = new ArrayList<>(groups);
            Collections.addAll(values, now, owner);
            RowCallbackHandler add = row -> found.put(row.getString(1), row.getLong(2));
            database.jdbc()
                    .query(
                            "SELECT group_key, MIN(id) FROM batchsqs_outbox WHERE group_key IN " + marks(groups.size())
                                    + " AND due_at > ? AND failed_at IS NULL AND (owner IS NULL OR owner <> ?)"
                                    + " GROUP BY group_key",
                            add,
                            values.toArray());
        }
        return found;
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

    /** Returns these rows, in order; those that another instance has deleted are missing. */
    List<OutboxRow> read(Collection<Long> ids) {
        RowMapper<OutboxRow> mapper = (row, number) -> row(row);
        return database.jdbc()
                .query(
                        "SELECT id, client, queue, queue_name, group_key, message_key, group_id, deduplication_id,"
                                + " delay_seconds, trace_header, attributes, body, attempts FROM batchsqs_outbox WHERE id IN "
                                + marks(ids.size()) + " ORDER BY id",
                        mapper,
                        ids.toArray());
    }

    private static OutboxRow row(ResultSet row) throws SQLException {
        int seconds = row.getInt("delay_seconds");
        Duration delay = row.wasNull() ? null : Duration.ofSeconds(seconds);
        var entry = new SendEntry(
                text(row, "body"),
                AttributeText.attributes(row.getString("attributes")),
                row.getString("trace_header"),
                delay,
                row.getString("group_id"),
                row.getString("deduplication_id"));
        return new OutboxRow(
                row.getLong("id"),
                new Destination(text(row, "client"), text(row, "queue_name")),
                new StoredMessage(text(row, "queue"), entry, row.getString("group_key")),
                text(row, "message_key"),
                row.getInt("attempts"));
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

    /** Returns when the first of the rows that wait was stored, or {@code null} if none waits. */
    @Nullable
    Long oldest() {
        RowMapper<Long> mapper = (row, number) -> row.getLong(1);
        List<Long> found = database.jdbc()
                .query("SELECT created_at FROM batchsqs_outbox WHERE failed_at IS NULL ORDER BY id LIMIT 1", mapper);
        return found.isEmpty() ? null : found.getFirst();
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

    private static String cut(String error) {
        return error.length() <= MAX_ERROR ? error : error.substring(0, MAX_ERROR);
    }

    private static String marks(int count) {
        return "(" + repeated("?", count) + ")";
    }

    private static String repeated(String part, int count) {
        return String.join(", ", Collections.nCopies(count, part));
    }
}
