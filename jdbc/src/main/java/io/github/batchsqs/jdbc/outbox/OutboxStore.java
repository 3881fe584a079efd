/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import io.github.batchsqs.jdbc.support.Database;
import io.github.batchsqs.send.KeptMessage;
import io.github.batchsqs.send.Outbox;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.InvalidIsolationLevelException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The rows of the outbox, as one instance uses them: in transactions of its own, except {@link #insert}. Rows that it sends have
 * another owner than those that it stored, so that they hold back the later rows of their message groups.
 */
final class OutboxStore {

    /** How long rows belong to an instance that does not renew the lease. */
    static final Duration LEASE = Duration.ofSeconds(30);

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
    private final OutboxState state;
    private final TimeSource time;
    private final String owner = UUID.randomUUID().toString();
    private final String sending = owner + "*";
    private volatile int isolation = TransactionDefinition.ISOLATION_READ_COMMITTED;

    OutboxStore(Database database, TimeSource time) {
        this.database = database;
        this.table = new OutboxTable(database);
        this.state = new OutboxState(database);
        this.time = time;
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
            boolean unused = anythingDue(List.of());
        } catch (InvalidIsolationLevelException refused) { // of a JPA provider that takes none; its default will do
            isolation = TransactionDefinition.ISOLATION_DEFAULT;
            boolean unused = anythingDue(List.of());
        }
    }

    /**
     * Inserts messages in the transaction of the thread.
     *
     * @param leased whether this instance sends them
     */
    void insert(String client, List<String> keys, List<KeptMessage> messages, boolean leased) {
        database.requireTransaction();
        table.insert(client, keys, messages, leased ? owner : null, now(), leased ? now() + LEASE.toMillis() : now());
    }

    /**
     * Marks the transaction of the thread, if the database may end it by itself and go on with another one. The table of the lock has
     * its rows for that, too, so that the mark is found by a key.
     */
    Outbox.Mark mark() {
        if (!database.dialect().endsTransactionsItself()) {
            return () -> true;
        }
        database.requireTransaction();
        int id = ThreadLocalRandom.current().nextInt(2, Integer.MAX_VALUE);
        table.mark(id);
        return () -> table.unmark(id);
    }

    /** Returns whether there is a row that this instance may send if none of its group blocks it. Locks nothing. */
    boolean anythingDue(Collection<Destination> without) {
        return in(() -> table.anyDue(owner, without, now()));
    }

    /** Claims those of the rows which may be sent that are chosen; one instance after the other does so. Returns them. */
    List<Candidate> claim(Collection<Destination> without, UnaryOperator<List<Candidate>> choice) {
        return in(() -> {
            table.lock();
            List<Candidate> chosen = choice.apply(candidates(without));
            int ignored = table.lease(ids(chosen), sending, now() + LEASE.toMillis());
            return chosen;
        });
    }

    /**
     * Returns the first rows that may be sent, in order; no row of a message group behind one that may not.
     *
     * <p>Each page is one statement, and so one view of the table. Between two pages other instances end their rows, so that a group
     * that an earlier page has passed over, or taken rows of, gives none to a later page.
     */
    private List<Candidate> candidates(Collection<Destination> without) {
        long now = now();
        List<Candidate> found = new ArrayList<>();
        Set<String> passed = new LinkedHashSet<>();
        long after = 0;
        for (int page = 0; page < MAX_PAGES; page++) {
            List<String> excluded = passed.stream().limit(MAX_ROWS).toList();
            List<OutboxTable.Found> rows = table.candidates(owner, without, excluded, after, now, MAX_ROWS);
            Set<String> taken = new LinkedHashSet<>();
            for (OutboxTable.Found each : rows) {
                String group = each.row().groupKey();
                if (group == null) {
                    found.add(each.row());
                } else if (each.blocked() || passed.contains(group)) {
                    passed.add(group);
                } else {
                    found.add(each.row());
                    taken.add(group);
                }
            }
            if (rows.size() < MAX_ROWS || found.size() >= MAX_ROWS) {
                break;
            }
            passed.addAll(taken);
            after = rows.getLast().row().id();
        }
        return found.size() <= MAX_ROWS ? found : found.subList(0, MAX_ROWS);
    }

    private static List<Long> ids(List<Candidate> rows) {
        return rows.stream().map(Candidate::id).toList();
    }

    /** Returns claimed rows with their contents. */
    List<OutboxRow> read(List<Candidate> rows) {
        return in(() -> table.read(ids(rows), sending));
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
        in(() -> {
            int ignored = table.delete(accepted);
            table.later(later, sending);
            table.refused(refused, sending, now());
            return true;
        });
    }

    /** Keeps rows that are being sent. */
    void renew(List<Long> ids) {
        for (List<Long> chunk : chunks(ids)) {
            int ignored = in(() -> table.renew(chunk, sending, now() + LEASE.toMillis()));
        }
    }

    /** Lets other instances send the rows that this one stored and has not begun to send. */
    void release() {
        in(() -> table.release(owner, now()));
    }

    /** The state of the table. */
    record Backlog(long waiting, Duration oldest, long failed) {}

    Backlog backlog() {
        return in(() -> {
            Long oldest = state.oldest();
            return new Backlog(
                    state.waiting(MAX_COUNT),
                    oldest == null ? Duration.ZERO : Duration.ofMillis(Math.max(0, now() - oldest)),
                    state.failed(MAX_COUNT));
        });
    }

    /** Returns the first failed messages. */
    List<FailedMessage> failures(int maximum) {
        return in(() -> state.failures(maximum));
    }

    /** Makes a failed message due, or all of them if the id is {@code null}; returns how many there were. */
    int retry(@Nullable Long id) {
        return in(() -> state.retry(id, now()));
    }

    /** Deletes a failed message; returns whether it was there. */
    boolean deleteFailed(long id) {
        return in(() -> state.deleteFailed(id)) == 1;
    }

    <T> T inNewTransaction(Supplier<T> work) {
        return in(work);
    }

    private <T> T in(Supplier<T> work) {
        TransactionTemplate transaction = database.newTransaction();
        transaction.setName("batchsqs-outbox");
        transaction.setIsolationLevel(isolation);
        transaction.setTimeout(Math.toIntExact(TIMEOUT.toSeconds()));
        @Nullable T result = transaction.execute(status -> work.get());
        return Objects.requireNonNull(result);
    }

    private long now() {
        return time.now().toEpochMilli();
    }

    private static List<List<Long>> chunks(List<Long> ids) {
        List<List<Long>> chunks = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += MAX_ROWS) {
            chunks.add(ids.subList(from, Math.min(ids.size(), from + MAX_ROWS)));
        }
        return chunks;
    }
}
