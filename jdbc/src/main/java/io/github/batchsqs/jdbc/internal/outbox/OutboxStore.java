/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.jdbc.internal.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.InvalidIsolationLevelException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The rows of the outbox, as one instance uses them: in transactions of its own, except {@link #insert}. */
final class OutboxStore {

    /** How long rows belong to an instance that no longer shows that it lives. */
    static final Duration LEASE = Duration.ofMillis(2_500);

    /** The maximum number of rows of a claim. */
    static final int MAX_ROWS = 500;

    /** How many times so many rows a claim passes over, if others of their groups block them. */
    private static final int MAX_PAGES = 200;

    /** Rows beyond this number are not counted. */
    static final int MAX_COUNT = 100_000;

    /** How long a transaction may last. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Database database;
    private final OutboxTable table;
    private final Duration lease;

    /** Changes when the instance has been taken for dead: then others may send its rows. */
    private volatile String owner = UUID.randomUUID().toString();

    private volatile int isolation = TransactionDefinition.ISOLATION_READ_COMMITTED;

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
        new OutboxTableCheck(database).run();
        try {
            createLock();
        } catch (InvalidIsolationLevelException refused) { // of a JPA provider that takes none; its default will do
            isolation = TransactionDefinition.ISOLATION_DEFAULT;
            createLock();
        }
    }

    private void createLock() {
        try {
            run(table::createLock);
        } catch (DuplicateKeyException another) { // another instance has created it at the same moment
            run(table::createLock);
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
    List<OutboxRow> insert(String client, List<String> keys, List<KeptMessage> messages, @Nullable String sender) {
        database.requireTransaction();
        return table.insert(client, keys, messages, sender);
    }

    /**
     * Marks the transaction of the thread, if the database may end it by itself and go on with another one. The table of the locks has
     * its rows for that, too, so that the mark is found by a key.
     */
    Outbox.Mark mark() {
        if (!database.dialect().endsTransactionsItself()) {
            return () -> true;
        }
        database.requireTransaction();
        String id = "mark-" + UUID.randomUUID().toString().substring(0, 18);
        table.mark(id);
        return () -> table.unmark(id);
    }

    /** Shows that this instance lives. If that came too late, it is a new instance from now on. Returns its name. */
    String live() {
        if (!in(() -> table.live(owner, lease))) {
            String next = UUID.randomUUID().toString();
            run(() -> table.born(next, lease));
            owner = next;
        }
        return owner;
    }

    /** Lets other instances send all rows of this one at once. */
    void release() {
        boolean unused = in(() -> table.unmark(owner));
    }

    /** Returns whether there is a due row that no instance sends, though another one of its group may be sent. Locks nothing. */
    boolean anythingFree(Collection<Destination> without) {
        return in(() -> {
            Set<String> alive = table.alive();
            return table.due(alive, without, List.of(), 0, MAX_ROWS).stream()
                    .anyMatch(each -> each.owner() == null || !alive.contains(each.owner()));
        });
    }

    /**
     * What a claim has found.
     *
     * @param rows the rows that are chosen, which belong to this instance now
     * @param left whether there may be more rows for this instance
     * @param busy whether another instance claimed at the same moment, so that nothing was looked for
     * @param blocked whether rows wait for others of their groups that another instance sends
     * @param first the lowest id that was seen, or {@code null}
     */
    record Claim(
            List<Candidate> rows,
            boolean left,
            boolean busy,
            boolean blocked,
            @Nullable Long first) {}

    /**
     * Claims those of the free rows that are chosen: rows of groups that nobody sends, and rows of instances that are dead. One instance
     * after the other does so.
     *
     * <p>Rows of groups that this instance owns and does not know, because it could not read them or did not learn of the claim, are free too.
     *
     * @param from the lowest id
     * @param lost whether such rows of standard queues are looked for, too
     * @param known whether this instance sends a row
     */
    Claim claim(
            Collection<Destination> without,
            long from,
            boolean lost,
            Predicate<Candidate> known,
            UnaryOperator<List<Candidate>> choice) {
        return in(() -> {
            if (!table.lock()) {
                table.createLock();
                return new Claim(List.of(), false, true, false, null);
            }
            var found = new Walk(table.alive(), lost, known);
            found.walk(without, from);
            List<Candidate> chosen = choice.apply(found.free);
            table.take(ids(chosen), owner);
            boolean left = found.free.size() >= MAX_ROWS || chosen.size() < found.free.size();
            return new Claim(chosen, left && !chosen.isEmpty(), false, found.blockedByOthers, found.first);
        });
    }

    /**
     * Looks for the rows that may be sent, in order; no row of a message group behind one that is being sent.
     *
     * <p>Each page is one statement, and so one view of the table. Between two pages other instances end their rows, so that a group
     * that an earlier page has passed over gives none to a later page.
     */
    private final class Walk {

        private final Set<String> alive;
        private final boolean lost;
        private final Predicate<Candidate> known;
        private final Set<String> blocked = new LinkedHashSet<>();
        private List<Candidate> free = new ArrayList<>();
        private boolean blockedByOthers;
        private @Nullable Long first;

        Walk(Set<String> alive, boolean lost, Predicate<Candidate> known) {
            this.alive = alive;
            this.lost = lost;
            this.known = known;
        }

        void walk(Collection<Destination> without, long from) {
            long after = from;
            boolean more = true;
            for (int page = 0; page < MAX_PAGES && more && free.size() < MAX_ROWS; page++) {
                List<String> excluded = blocked.stream().limit(MAX_ROWS).toList();
                Set<String> senders = new HashSet<>(alive);
                if (lost) {
                    senders.remove(owner);
                }
                List<OutboxTable.Found> rows = table.due(senders, without, excluded, after, MAX_ROWS);
                if (rows.stream().anyMatch(each -> each.owner() != null && !alive.contains(each.owner()))) {
                    alive.addAll(table.alive()); // an instance may have been born since, and then stored a row
                }
                rows.forEach(this::add);
                more = rows.size() == MAX_ROWS;
                after = more ? rows.getLast().row().id() + 1 : after;
            }
            free = free.size() <= MAX_ROWS ? free : free.subList(0, MAX_ROWS);
        }

        private void add(OutboxTable.Found found) {
            Candidate row = found.row();
            String group = row.groupKey();
            first = first == null ? Long.valueOf(row.id()) : first;
            boolean mine = owner.equals(found.owner());
            if (found.owner() != null && (mine ? known.test(row) : alive.contains(found.owner()))) {
                if (group != null) {
                    blocked.add(group);
                    blockedByOthers |= !mine;
                }
            } else if (group == null || !blocked.contains(group)) {
                free.add(row);
            }
        }
    }

    private static List<Long> ids(List<Candidate> rows) {
        return rows.stream().map(Candidate::id).toList();
    }

    /** Returns rows of this instance with their contents. */
    List<OutboxRow> read(List<Candidate> rows) {
        return in(() -> table.read(ids(rows), owner));
    }

    /** Writes what became of rows, {@link #MAX_ROWS} at most, so that the transaction is short. */
    void settle(List<Outcome> outcomes) {
        List<Long> accepted = new ArrayList<>();
        List<Outcome.Later> later = new ArrayList<>();
        List<Outcome.Refused> refused = new ArrayList<>();
        for (Outcome each : outcomes) {
            switch (each) {
                case Outcome.Accepted one -> accepted.add(one.row().id());
                case Outcome.Later one -> later.add(one);
                case Outcome.Refused one -> refused.add(one);
            }
        }
        run(() -> {
            int ignored = table.delete(accepted);
            table.later(later, owner);
            table.refused(refused, owner);
        });
    }

    OutboxTable.Backlog backlog() {
        return in(() -> table.backlog(MAX_COUNT));
    }

    /** Returns the oldest messages that wait, or that have failed. */
    List<OutboxMessage> messages(boolean failed, int maximum) {
        return in(() -> table.messages(failed, maximum));
    }

    /** Sends a message again at once, or all failed ones if the id is {@code null}; returns how many there were. */
    int retry(@Nullable Long id) {
        return in(() -> table.retry(id));
    }

    /** Keeps a message that waits from being sent; returns whether it was there. */
    boolean park(long id) {
        return in(() -> table.park(id)) == 1;
    }

    /** Deletes a message; returns whether it was there. */
    boolean delete(long id) {
        return in(() -> table.delete(List.of(id))) == 1;
    }

    /** Runs work in a transaction of its own. */
    <T> T in(Supplier<T> work) {
        TransactionTemplate transaction = database.newTransaction();
        transaction.setName("batchsqs-outbox");
        transaction.setIsolationLevel(isolation);
        transaction.setTimeout(Math.toIntExact(TIMEOUT.toSeconds()));
        @Nullable T result = transaction.execute(status -> work.get());
        return Objects.requireNonNull(result);
    }

    private void run(Runnable work) {
        boolean unused = in(() -> {
            work.run();
            return true;
        });
    }
}
