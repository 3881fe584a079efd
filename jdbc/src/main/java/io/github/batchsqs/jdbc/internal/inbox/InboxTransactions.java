/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.Database;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** The transactions of a listener with the inbox. Called on the thread of an invocation, by several invocations at once. */
final class InboxTransactions {

    private static final Logger log = LoggerFactory.getLogger(InboxTransactions.class);

    /** Until the database is tried again that has failed, or that has undone a claim for another transaction. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Duration CONFLICT_PAUSE = Duration.ofMillis(50);

    /** So many in a row are no conflict: statements time out, for example. */
    private static final int MAX_CONFLICTS = 20;

    private final Database database;
    private final InboxTable table;
    private final TimeSource time;
    private final OutageLog outage;
    private final AtomicInteger waiting = new AtomicInteger();

    InboxTransactions(Database database, TimeSource time, String listener) {
        this.database = database;
        this.table = new InboxTable(database);
        this.time = time;
        this.outage = new OutageLog(log, time, "Inbox: beginning transactions of the listener " + listener);
    }

    /** Returns whether the last transactions could not begin, and invocations wait for the database. */
    boolean databaseFails() {
        return waiting.get() > 0;
    }

    /** What a claim of ids has led to. */
    sealed interface Claim {}

    /**
     * A transaction.
     *
     * @param claim marks its rows
     * @param claimed the ids that it has recorded and that were not recorded before
     */
    record Begun(TransactionStatus status, String queue, long claim, Set<String> claimed) implements Claim {}

    /** No transaction: another one holds ids. An instance processes their messages, or its host has vanished. */
    record Busy(Set<String> ids) implements Claim {}

    /** Returns those of the ids that were recorded before. Waits as {@link #begin} does. */
    Set<String> recorded(String queue, List<String> ids) throws InterruptedException {
        return onceItSucceeds(() ->
                Objects.requireNonNull(database.newTransaction().execute(status -> table.recordedAmong(queue, ids))));
    }

    /**
     * Begins a transaction and claims the ids. While the database fails, no message has run, and so none may use an attempt: this method
     * waits, and {@link #databaseFails} keeps the listener from receiving more.
     *
     * @throws InterruptedException by a stop
     */
    Claim begin(String queue, List<String> left) throws InterruptedException {
        Claim claim = onceItSucceeds(() -> tryToBegin(queue, left));
        if (claim instanceof Busy && Thread.interrupted()) {
            throw new InterruptedException("The listener stops");
        }
        return claim;
    }

    private <T> T onceItSucceeds(Supplier<T> work) throws InterruptedException {
        boolean waits = false;
        int conflicts = 0;
        try {
            while (true) {
                try {
                    T result = work.get();
                    outage.succeeded();
                    return result;
                } catch (DataAccessException | TransactionException failure) {
                    if (table.isConflict(failure) && ++conflicts <= MAX_CONFLICTS) {
                        Thread.sleep(CONFLICT_PAUSE);
                        continue;
                    }
                    if (!waits) {
                        waits = true;
                        waiting.incrementAndGet();
                    }
                    outage.failed(failure.getClass().getSimpleName(), Database.reason(failure));
                    Thread.sleep(PAUSE);
                }
            }
        } finally {
            if (waits) {
                waiting.decrementAndGet();
            }
        }
    }

    private Claim tryToBegin(String queue, List<String> left) {
        PlatformTransactionManager transactions = database.transactionManager();
        long claim = ThreadLocalRandom.current().nextLong();
        TransactionTemplate definition = database.newTransaction();
        definition.setName("batchsqs-inbox");
        TransactionStatus status = transactions.getTransaction(definition);
        try {
            Set<String> claimed = table.claim(queue, claim, left, time.now().toEpochMilli());
            return new Begun(status, queue, claim, claimed);
        } catch (RuntimeException | Error failure) {
            undo(status, failure);
            if (table.isConflict(failure) || failure instanceof QueryTimeoutException) {
                var busy = new HashSet<String>();
                addBusy(queue, left, busy);
                if (!busy.isEmpty()) {
                    return new Busy(busy);
                }
            }
            throw failure;
        }
    }

    /** Adds those of the ids that another transaction holds. Tries halves, in transactions that are rolled back. */
    private void addBusy(String queue, List<String> ids, Set<String> busy) {
        try {
            database.newTransaction().executeWithoutResult(status -> {
                status.setRollbackOnly();
                Set<String> unused = table.claim(queue, 0, ids, time.now().toEpochMilli());
            });
        } catch (DataAccessException failure) {
            if (!table.isConflict(failure)) {
                throw failure;
            }
            if (ids.size() == 1) {
                busy.addAll(ids);
            } else {
                addBusy(queue, ids.subList(0, ids.size() / 2), busy);
                addBusy(queue, ids.subList(ids.size() / 2, ids.size()), busy);
            }
        }
    }

    /**
     * Commits. A callback of the application may throw after the commit, or the response of the database may be lost; then the rows
     * show whether it has committed.
     *
     * <p>First it looks for a row of the transaction. PostgreSQL fails this after an error that the handler has hidden; the commit would
     * undo everything, and its driver does not always say so.
     *
     * @throws BatchSqsException if the transaction is not the one that has begun: after a deadlock that the handler has caught, a commit
     *     would contain only what it did since then
     */
    void commit(Begun begun) {
        if (!begun.claimed().isEmpty() && !holdsRow(begun)) {
            throw new BatchSqsException(
                    "The database has undone the transaction of the batch while the handler ran, as it does after a deadlock, but the"
                            + " handler reported success; let the handler throw what the database throws");
        }
        try {
            database.transactionManager().commit(begun.status());
        } catch (UnexpectedRollbackException rolledBack) {
            throw rolledBack;
        } catch (RuntimeException | Error failure) {
            if (!hasCommitted(begun, failure)) {
                throw failure;
            }
            log.warn(
                    "Inbox: the commit of a batch of {} threw, but the transaction has committed; its messages are done",
                    begun.queue(),
                    failure);
        }
    }

    private boolean hasCommitted(Begun begun, Throwable failure) {
        try {
            return !begun.claimed().isEmpty()
                    && Boolean.TRUE.equals(database.newTransaction().execute(status -> holdsRow(begun)));
        } catch (RuntimeException alsoFailed) { // not known: the messages return, and are skipped if it has committed
            failure.addSuppressed(alsoFailed);
            return false;
        }
    }

    private boolean holdsRow(Begun begun) {
        List<String> one = List.of(begun.claimed().iterator().next());
        return !table.claimedAmong(begun.queue(), begun.claim(), one).isEmpty();
    }

    /** @throws BatchSqsException if no message failed, but the transaction was marked for rollback */
    void rollBack(Begun begun, boolean unexpected) {
        database.transactionManager().rollback(begun.status());
        if (unexpected) {
            throw new BatchSqsException(
                    "The transaction of the batch was marked for rollback, but the handler reported no"
                            + " failure; throw an exception, or report the messages that failed");
        }
    }

    /** Rolls back because of a failure, which is what the failure policy needs; further ones are added to it. */
    void undo(TransactionStatus status, Throwable failure) {
        Throwable alsoFailed = status.isCompleted()
                ? null
                : ForeignCode.run(() -> database.transactionManager().rollback(status));
        if (alsoFailed != null) { // what the handler threw is what the failure policy needs
            failure.addSuppressed(alsoFailed);
        }
    }
}
