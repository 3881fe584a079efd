/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import static io.github.batchsqs.jdbc.internal.inbox.TestMessage.inGroup;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.autoconfigure.internal.settings.JdbcSettings;
import io.github.batchsqs.internal.receive.invoke.NotRunException;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.HookedSource;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** The inbox beside code of the application that throws what nobody expects, on H2. */
class InboxFaultTests {

    @AutoClose
    private final HikariDataSource source = Databases.h2();

    private final AtomicInteger refused = new AtomicInteger();
    private final List<BatchOutcome> outcomes = new CopyOnWriteArrayList<>();
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private volatile boolean broken;
    private volatile boolean refuses;

    private Database database() {
        var transactions = new JdbcTransactionManager(source) {
            @Override
            protected void doBegin(Object transaction, TransactionDefinition definition) {
                if (broken) {
                    throw new Unreadable();
                }
                if (refuses) {
                    refused.incrementAndGet();
                    throw new CannotCreateTransactionException("the connection is refused on purpose");
                }
                super.doBegin(transaction, definition);
            }
        };
        return InboxContract.prepared(transactions, source);
    }

    private static BatchListener<Object> inbox(Database database, IntConsumer skipped, BatchListener<Object> handler) {
        return InboxContract.inbox(database, new MessageIds(null), InboxContract.ORDERS, skipped, handler);
    }

    /** An inbox that notes what its handler runs. */
    private BatchListener<Object> noting(Database database) {
        return inbox(database, messages -> {}, batch -> {
            batch.forEach(message -> ran.add(message.id()));
            return BatchOutcome.done();
        });
    }

    private Thread started(BatchListener<Object> inbox, MessageBatch<Object> batch) {
        return Thread.startVirtualThread(() -> {
            try {
                outcomes.add(inbox.onBatch(batch));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** A connection whose transaction holds an id until it is rolled back. */
    private Connection holding(String id) throws SQLException {
        Connection holder = source.getConnection();
        holder.setAutoCommit(false);
        hold(holder, id);
        return holder;
    }

    /** Each receive used an attempt, up to the dead-letter queue. */
    @Test
    void messagesWaitForADatabaseThatRefusesConnectionsAndNothingIsReceived() throws Exception {
        BatchListener<Object> inbox = noting(database());
        ReceiveGate gate = (ReceiveGate) inbox;
        assertThat(gate.check("orders")).isEqualTo(ReceiveGate.Permission.go());

        refuses = true;
        Thread running = started(inbox, TestMessage.batch("a", "b"));
        Progress.until(() -> refused.get() > 1);
        assertThat(gate.check("orders")).isInstanceOf(ReceiveGate.Wait.class);
        assertThat(ran).isEmpty();

        refuses = false;
        running.join();
        assertThat(outcomes).containsExactly(BatchOutcome.done());
        assertThat(ran).containsExactly("a", "b");
        assertThat(gate.check("orders")).isEqualTo(ReceiveGate.Permission.go());
    }

    @Test
    void aStopReturnsWhatWaitsForTheDatabaseWithoutAnAttempt() throws Exception {
        BatchListener<Object> inbox = inbox(database(), messages -> {}, batch -> BatchOutcome.done());
        MessageBatch<Object> batch = TestMessage.batch("a");
        refuses = true;
        Thread running = started(inbox, batch);
        Progress.until(() -> refused.get() > 0);
        running.interrupt();
        running.join();
        InboxContract.assertNotRun(outcomes.getFirst(), batch, 0);
        assertThat(((ReceiveGate) inbox).check("orders")).isEqualTo(ReceiveGate.Permission.go());
    }

    @Test
    void aStopReturnsAMessageThatWaitsForItsIdWithoutAnAttempt() throws Exception {
        Database database = database();
        BatchListener<Object> inbox = noting(database);
        inbox.onBatch(TestMessage.batch("before"));
        String queue =
                Databases.column(source, "SELECT queue FROM batchsqs_inbox").getFirst();
        MessageBatch<Object> batch = TestMessage.fifo(inGroup("a1").last(), inGroup("b1"));
        new TransactionTemplate(new JdbcTransactionManager(source)).executeWithoutResult(status -> {
            new InboxTable(database).insertOne(queue, "a1", 1, 1);
            Thread running = started(inbox, batch);
            Progress.until(() -> ran.contains("b1"));
            running.interrupt();
            Progress.until(() -> !outcomes.isEmpty());
        });
        InboxContract.assertNotRun(outcomes.getFirst(), batch, 0);
        assertThat(outcomes.getFirst().of(batch.messages().getLast())).isInstanceOf(BatchOutcome.Done.class);
    }

    @Test
    void nothingRunsBehindAStopThatComesWhileBusyIdsAreLookedFor() throws Exception {
        var hooked = new HookedSource(source);
        BatchListener<Object> inbox = noting(InboxContract.prepared(new JdbcTransactionManager(hooked), hooked));
        inbox.onBatch(TestMessage.batch("before"));
        MessageBatch<Object> batch = TestMessage.batch("a", "b");
        // the claim, a look for both ids, and one for each of them
        hooked.before(
                4, "MERGE INTO batchsqs_inbox", sql -> Thread.currentThread().interrupt());
        new TransactionTemplate(new JdbcTransactionManager(source)).executeWithoutResult(status -> {
            int one = new JdbcTemplate(source)
                    .update("INSERT INTO batchsqs_inbox SELECT queue, 'a', 1, 0 FROM batchsqs_inbox");
            assertThat(one).isOne();
            Thread running = started(inbox, batch);
            Progress.until(() -> !running.isAlive());
        });
        InboxContract.assertNotRun(outcomes.getFirst(), batch, 0, 1);
        assertThat(ran).containsExactly("before");
    }

    /** It ran ahead of the one that had returned. */
    @Test
    void whatWaitsAtItsLastReceiveWaitsForAMessageAheadOfItWhoseIdIsHeldLater() throws Exception {
        var claims = new AtomicInteger();
        var hooked = new HookedSource(source);
        Database database = InboxContract.prepared(new JdbcTransactionManager(hooked), hooked);
        BatchListener<Object> inbox = noting(database);
        inbox.onBatch(TestMessage.batch("before"));
        try (Connection holder = holding("a2")) {
            hooked.beforeEach("MERGE INTO batchsqs_inbox", sql -> {
                if (claims.incrementAndGet() == 5) { // behind the claim of both, and the three that find the busy one
                    hold(holder, "a1");
                }
            });
            Thread running =
                    started(inbox, TestMessage.fifo(inGroup("a1"), inGroup("a2").last()));
            Progress.until(() -> claims.get() > 6);
            holder.rollback();
            running.join();
        }
        assertThat(ran).containsExactly("before", "a1", "a2");
        assertThat(outcomes).containsExactly(BatchOutcome.done());
    }

    /** A group whose first message had been received twice stood for 11 min, though the other transaction ended within a second. */
    @ParameterizedTest
    @CsvSource({"1, 4, PT15S", "2, 4, PT15S", "3, 4, PT11M", "100, 2147483647, PT15S"})
    void aMessageWhoseIdIsHeldReturnsLateOnlyInTheSecondHalfOfItsReceives(int receive, int maxReceives, Duration after)
            throws Exception {
        Database database = database();
        BatchListener<Object> inbox = InboxContract.inbox(
                database,
                new MessageIds(null),
                InboxContract.ORDERS,
                maxReceives,
                messages -> {},
                batch -> BatchOutcome.done());
        inbox.onBatch(TestMessage.batch("before"));
        MessageBatch<Object> batch =
                TestMessage.batch(List.of(TestMessage.of("a").at(receive)));
        try (Connection holder = holding("a")) {
            assertThat(inbox.onBatch(batch).of(batch.messages().getFirst()))
                    .isInstanceOfSatisfying(
                            BatchOutcome.Retry.class,
                            retry -> assertThat(retry.cause())
                                    .isInstanceOfSatisfying(
                                            NotRunException.class,
                                            notRun -> assertThat(notRun.after()).isEqualTo(after)));
            holder.rollback();
        }
    }

    /** Both were claimed together: what was free waited for what was not. */
    @Test
    void whatWaitsAtItsLastReceiveRunsAsSoonAsItsOwnIdIsFree() throws Exception {
        BatchListener<Object> inbox = noting(database());
        inbox.onBatch(TestMessage.batch("before"));
        try (Connection one = holding("a");
                Connection other = holding("b")) {
            Thread running = started(
                    inbox,
                    TestMessage.batch(List.of(
                            TestMessage.of("a").last(), TestMessage.of("b").last(), TestMessage.of("c"))));
            Progress.until(() -> ran.contains("c"));
            other.rollback();
            Progress.until(() -> ran.contains("b"));
            one.rollback();
            running.join();
        }
        assertThat(ran).containsExactly("before", "c", "b", "a");
        assertThat(outcomes).containsExactly(BatchOutcome.done());
    }

    @Test
    void aHeldIdIsLoggedAlsoBesideALostLease() throws Exception {
        BatchListener<Object> inbox = noting(database());
        inbox.onBatch(TestMessage.batch("before"));
        TestMessage lost = TestMessage.of("a");
        lost.leaseLost().set(true);
        try (Connection holder = holding("b");
                LogCapture log = LogCapture.warnings()) {
            inbox.onBatch(TestMessage.batch(List.of(lost, TestMessage.of("b"))));
            holder.rollback();
            assertThat(log.events()).anyMatch(line -> line.contains("another transaction holds the ids of 1 of 2"));
        }
    }

    /** It waited without end, in its place, and ran when it was in the dead-letter queue already. */
    @Test
    void aMessageWaitsForItsIdAsLongAsItsLeaseAndDoesNotRunAfterwards() throws Exception {
        BatchListener<Object> inbox = noting(database());
        inbox.onBatch(TestMessage.batch("before"));
        TestMessage first = inGroup("a1").last();
        MessageBatch<Object> batch = TestMessage.fifo(first, inGroup("a2"), inGroup("b1"));
        try (Connection holder = holding("a1")) {
            Thread running = started(inbox, batch);
            Progress.until(() -> ran.contains("b1"));
            first.leaseLost().set(true);
            Progress.until(() -> !running.isAlive());
            holder.rollback();
        }
        assertThat(ran).containsExactly("before", "b1");
        assertThat(batch.messages())
                .extracting(outcomes.getFirst()::of)
                .containsExactly(new BatchOutcome.Leave(), new BatchOutcome.Leave(), new BatchOutcome.Done());
    }

    @Test
    void aMessageWhoseLeaseIsLostWhileTheDatabaseIsDownDoesNotRun() throws Exception {
        BatchListener<Object> inbox = noting(database());
        TestMessage first = TestMessage.of("a");
        MessageBatch<Object> batch = TestMessage.batch(List.of(first, TestMessage.of("b")));
        refuses = true;
        Thread running = started(inbox, batch);
        Progress.until(() -> refused.get() > 0);
        first.leaseLost().set(true);
        refuses = false;
        running.join();
        assertThat(ran).containsExactly("b");
        assertThat(batch.messages())
                .extracting(outcomes.getFirst()::of)
                .containsExactly(new BatchOutcome.Leave(), new BatchOutcome.Done());
        assertThat(Databases.column(source, "SELECT id FROM batchsqs_inbox")).containsExactly("b");
    }

    /** Each transaction that began without them counted as a run that failed, and so did one whose connection had broken. */
    @Test
    void leasesThatAreLostWhileTransactionsBeginCostTheOthersNoRun() throws Exception {
        var hooked = new HookedSource(source);
        var transactions = new JdbcTransactionManager(hooked) {
            @Override
            protected void doRollback(DefaultTransactionStatus status) {
                super.doRollback(status);
                if (broken) {
                    throw new TransactionSystemException("on purpose");
                }
            }
        };
        BatchListener<Object> inbox = noting(InboxContract.prepared(transactions, hooked));
        List<TestMessage> messages =
                Stream.of("a", "b", "c", "d").map(TestMessage::of).toList();
        Iterator<TestMessage> lost = messages.subList(0, 3).iterator();
        hooked.beforeEach("MERGE INTO batchsqs_inbox", sql -> {
            if (lost.hasNext()) {
                lost.next().leaseLost().set(true);
            }
        });
        broken = true;
        MessageBatch<Object> batch = TestMessage.batch(messages);
        BatchOutcome outcome = inbox.onBatch(batch);
        assertThat(ran).containsExactly("d");
        assertThat(batch.messages())
                .extracting(outcome::of)
                .containsExactly(
                        new BatchOutcome.Leave(),
                        new BatchOutcome.Leave(),
                        new BatchOutcome.Leave(),
                        new BatchOutcome.Done());
    }

    private static void hold(Connection holder, String id) throws SQLException {
        try (Statement statement = holder.createStatement()) {
            assertThat(statement.executeUpdate("INSERT INTO batchsqs_inbox SELECT queue, '" + id
                            + "', 1, 0 FROM batchsqs_inbox WHERE id = 'before'"))
                    .isOne();
        }
    }

    /** It was tried again for ever without a word, and the listener went on receiving. */
    @Test
    void aClaimThatTheDatabaseUndoesAgainAndAgainIsAnOutage() throws Exception {
        var claims = new AtomicInteger();
        var hooked = new HookedSource(source);
        BatchListener<Object> inbox = inbox(
                InboxContract.prepared(new JdbcTransactionManager(hooked), hooked),
                messages -> {},
                batch -> BatchOutcome.done());
        hooked.beforeEach("MERGE INTO batchsqs_inbox", sql -> {
            if (claims.incrementAndGet() % 2 == 1) { // each second one looks for busy ids, and finds none
                throw new SQLTimeoutException("on purpose");
            }
        });
        Thread running = started(inbox, TestMessage.batch("a"));
        Progress.until(() -> ((ReceiveGate) inbox).check("orders") instanceof ReceiveGate.Wait);
        hooked.beforeEach("MERGE INTO batchsqs_inbox", sql -> {});
        running.join();
        assertThat(outcomes).containsExactly(BatchOutcome.done());
    }

    @Test
    void duplicatesAreDoneThoughTheRegistryThrows() throws Exception {
        var counting = new SimpleMeterRegistry() {
            @Override
            protected Counter newCounter(Meter.Id id) {
                throw new IllegalStateException("on purpose");
            }
        };
        var meters = new InboxMeters(counting);
        BatchListener<Object> inbox = inbox(database(), meters.of("orders", "orders"), batch -> BatchOutcome.done());

        assertThat(inbox.onBatch(TestMessage.batch("a"))).isEqualTo(BatchOutcome.done());
        assertThat(inbox.onBatch(TestMessage.batch("a"))).isEqualTo(BatchOutcome.done());
        meters.deleted(1);
    }

    @Test
    void theRetentionSurvivesAFailureWhoseMessageCannotBeRead() {
        var retention = new Retention(
                database(), new JdbcSettings.Inbox(Duration.ofDays(14)), new InboxMeters(null), TimeSource.system());
        try (var heard = LogCapture.infos()) {
            broken = true;
            retention.clean();
            broken = false;
            retention.clean();
            assertThat(heard.events())
                    .satisfiesExactly(
                            line -> assertThat(line).contains("deleting old rows of batchsqs_inbox fails"),
                            line -> assertThat(line).contains("deleting old rows of batchsqs_inbox succeeds again"));
        }
    }
}
