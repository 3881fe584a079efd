/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.jdbc.internal.Dialect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.InvalidIsolationLevelException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The rows of the outbox, as one instance uses them: in transactions of its own, except {@link #insert}. */
final class OutboxStore {

    /** How long rows belong to an instance that no longer shows that it lives. */
    static final Duration LEASE = Duration.ofMillis(2_500);

    /** How many times so many rows a claim passes over, if others of their groups block them. */
    private static final int MAX_PAGES = 200;

    /** How long a transaction may last. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Database database;
    private final OutboxTable table;
    private final Duration lease;

    /** Changes when the instance has been taken for dead: then others may send its rows. */
    private volatile String owner = UUID.randomUUID().toString();

    private volatile int isolation = TransactionDefinition.ISOLATION_READ_COMMITTED;

    /** The highest id that was in the table when looks and claims of this instance began; belongs to the thread of the relay. */
    long highest;

    OutboxStore(Database database, Duration lease) {
        this.database = database;
        this.table = new OutboxTable(database);
        this.lease = lease;
    }

    /**
     * Creates and checks the tables; called when all singletons exist.
     *
     * @throws RuntimeException if something is missing, in words
     */
    void prepare() {
        database.prepare(OutboxTable.NAME);
        database.prepare(OutboxTable.LOCK);
        database.check(OutboxTable.NAME + " and " + OutboxTable.LOCK, table::tryStatements);
        try {
            Map<String, Long> unused = in(OutboxTable::alive);
        } catch (InvalidIsolationLevelException refused) { // of a JPA provider that takes none; its default will do
            isolation = TransactionDefinition.ISOLATION_DEFAULT;
        }
    }

    String owner() {
        return owner;
    }

    /**
     * Inserts messages in the transaction of the thread.
     *
     * @param sender the owner who sends those to standard queues; {@code null} for any instance
     * @return the rows, in order
     */
    List<OutboxRow> insert(String client, List<KeptMessage> messages, @Nullable String sender) {
        database.requireTransaction();
        return table.insert(client, messages, sender);
    }

    /**
     * Marks the transaction of the thread, if the database may end it by itself and go on with another one: it undoes all after a deadlock,
     * or commits at a DDL statement. PostgreSQL instead fails each further statement. The table of the locks has its rows for that, too, so
     * that the mark is found by a key.
     */
    Outbox.Mark mark() {
        if (database.dialect() == Dialect.POSTGRESQL) {
            return () -> true;
        }
        database.requireTransaction();
        String id = "mark-" + UUID.randomUUID().toString().substring(0, 18);
        table.mark(id);
        return () -> table.unmark(id);
    }

    /**
     * Shows that this instance lives. If that came too late, it is a new instance from now on. Returns its name.
     *
     * @param open the lowest id of its rows that are not committed yet; the highest number if there are none
     */
    String live(long open) {
        if (!in(rows -> rows.live(owner, lease, open))) {
            String next = UUID.randomUUID().toString();
            int ignored = in(rows -> rows.born(next, lease, open));
            owner = next;
        }
        return owner;
    }

    /** Lets other instances send all rows of this one at once. */
    void release() {
        boolean unused = in(rows -> rows.unmark(owner));
    }

    /**
     * Returns from which id on a claim of all rows would find something; the highest number if nowhere. Locks nothing.
     *
     * @param known whether this instance sends a row
     */
    long look(Collection<Destination> without, Predicate<Candidate> known) {
        return in(rows -> {
            var found = new Walk(rows.alive(), known);
            found.walk(without, 0, true); // a queue that does not respond may have more than a page
            return found.free.isEmpty() ? Long.MAX_VALUE : found.first;
        });
    }

    /**
     * What a claim has found.
     *
     * @param rows the rows that are chosen, which belong to this instance now
     * @param left whether there may be more rows for this instance
     * @param busy whether another instance claimed at the same moment, so that nothing was looked for
     * @param blocked whether rows wait for others of their groups that another instance sends, or for the next claim
     * @param first the lowest id that was seen, or that a transaction may still commit; the highest number if there was none
     */
    record Claim(List<Candidate> rows, boolean left, boolean busy, boolean blocked, long first) {}

    /**
     * Claims those of the free rows that are chosen: rows of groups that nobody sends, rows of instances that are dead, and those of this
     * instance that it does not know. One instance after the other does so.
     *
     * @param from the lowest id, except of rows of a later time that are due
     * @param all whether to look at this instance's rows of standard queues, too
     * @param known whether this instance sends a row
     */
    Claim claim(
            Collection<Destination> without,
            long from,
            boolean all,
            Predicate<Candidate> known,
            UnaryOperator<List<Candidate>> choice) {
        return in(rows -> {
            if (!rows.lock()) {
                return new Claim(List.of(), false, true, false, Long.MAX_VALUE);
            }
            var found = new Walk(rows.alive(), known);
            found.walk(without, from, all);
            List<Candidate> free = found.free;
            List<Candidate> chosen = choice.apply(free.subList(0, Math.min(free.size(), OutboxTable.MAX_ROWS)));
            rows.take(ids(chosen), owner);
            boolean left = found.more || chosen.size() < free.size();
            return new Claim(chosen, left && !chosen.isEmpty(), false, found.blockedByOthers, found.first);
        });
    }

    /**
     * Looks for the rows that may be sent, in order; no row of a message group of which one is being sent. That one is ahead, unless the
     * row had a later time.
     *
     * <p>Each page is one statement, and so one view of the table. Between two pages other instances end their rows, so that a group
     * that an earlier page has passed over gives none to a later page. They also commit rows: a group's row of a later page may have one
     * ahead that the earlier page did not see, if its id is higher than all were when the walk began. The next walk gives it.
     */
    private final class Walk {

        private final Map<String, Long> alive;
        private final Predicate<Candidate> known;
        private final Set<String> blocked = new LinkedHashSet<>();
        private final List<Candidate> free = new ArrayList<>();
        private final long seen;
        private boolean more = true;
        private boolean blockedByOthers;
        private long first;

        Walk(Map<String, Long> alive, Predicate<Candidate> known) {
            this.alive = alive;
            this.known = known;
            highest = table.highest(highest);
            this.seen = highest;
            this.first =
                    alive.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
        }

        void walk(Collection<Destination> without, long from, boolean all) {
            long after = from;
            long later = 0;
            for (int page = 0; page < MAX_PAGES && more && free.size() < OutboxTable.MAX_ROWS; page++) {
                List<String> excluded =
                        blocked.stream().limit(OutboxTable.MAX_ROWS).toList();
                Set<String> senders = new HashSet<>(alive.keySet());
                if (all) {
                    senders.remove(owner);
                }
                List<Candidate> rows = table.due(senders, without, excluded, after, later);
                if (rows.stream().anyMatch(each -> each.owner() != null && !alive.containsKey(each.owner()))) {
                    alive.putAll(table.alive()); // an instance may have been born since, and then stored a row
                }
                long last = page == 0 ? Long.MAX_VALUE : seen;
                rows.forEach(row -> add(row, last));
                more = rows.size() == OutboxTable.MAX_ROWS;
                if (more && rows.stream().anyMatch(row -> row.later() && row.groupKey() != null && isFree(row))) {
                    // those that it must not pass may be behind this page
                    senders.remove(owner);
                    blockedByOthers |= blocked.addAll(table.sentBy(senders));
                }
                free.removeIf(row -> blocked.contains(row.groupKey()));
                later = more ? rows.getLast().id() + 1 : later;
                after = Math.max(after, later);
            }
        }

        private void add(Candidate row, long lastOfGroups) {
            first = Math.min(first, row.id());
            String group = row.groupKey();
            if (group != null && row.id() > lastOfGroups) {
                blockedByOthers = true;
            } else if (isFree(row)) {
                free.add(row);
            } else if (group != null) {
                blocked.add(group);
                blockedByOthers |= !owner.equals(row.owner());
            }
        }

        /** Rows that this instance owns and does not know are free: it could not read them, or did not learn of the commit. */
        private boolean isFree(Candidate row) {
            String of = row.owner();
            return !known.test(row) && (of == null || of.equals(owner) || !alive.containsKey(of));
        }
    }

    private static List<Long> ids(List<Candidate> rows) {
        return rows.stream().map(Candidate::id).toList();
    }

    /** Returns rows of this instance with their contents. */
    List<OutboxRow> read(List<Candidate> rows) {
        return in(every -> every.read(ids(rows), owner));
    }

    /** Writes what became of rows, {@link OutboxTable#MAX_ROWS} at most, so that the transaction is short. */
    void settle(List<Outcome> outcomes) {
        List<Long> accepted = new ArrayList<>();
        List<Object[]> later = new ArrayList<>();
        List<Object[]> refused = new ArrayList<>();
        for (Outcome each : outcomes) {
            long id = each.row().id();
            switch (each) {
                case Outcome.Accepted one -> accepted.add(id);
                case Outcome.Later one ->
                    later.add(new Object[] {one.attempts(), OutboxTable.cut(one.error()), id, owner});
                case Outcome.Refused one ->
                    refused.add(new Object[] {one.attempts(), OutboxTable.cut(one.error()), id, owner});
            }
        }
        int ignored = in(rows -> {
            rows.notSent(false, later);
            rows.notSent(true, refused);
            return rows.delete(accepted);
        });
    }

    /** Runs statements in a transaction of its own. */
    <T> T in(Function<OutboxTable, T> work) {
        TransactionTemplate transaction = database.newTransaction();
        transaction.setName("batchsqs-outbox");
        transaction.setIsolationLevel(isolation);
        transaction.setTimeout(Math.toIntExact(TIMEOUT.toSeconds()));
        @Nullable T result = transaction.execute(status -> work.apply(table.begun()));
        return Objects.requireNonNull(result);
    }
}
