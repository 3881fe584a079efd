/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import static io.github.batchsqs.jdbc.internal.inbox.TestMessage.inGroup;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.autoconfigure.internal.settings.JdbcSettings;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.internal.receive.invoke.NotRunException;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.HookedSource;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.jdbc.internal.Dialect;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the inbox promises on each database. The handlers write a row per message. */
interface InboxContract {

    String ORDERS = "https://sqs.eu-central-1.amazonaws.com/111111111111/orders";

    DataSource dataSource();

    /** Returns how many instances process the same messages at once. */
    default int instances() {
        return 4;
    }

    @BeforeEach
    default void emptyTables() {
        prepared();
        JdbcTemplate jdbc = new JdbcTemplate(dataSource());
        jdbc.execute("CREATE TABLE IF NOT EXISTS handled (id VARCHAR(300))");
        jdbc.update("DELETE FROM handled");
        // MariaDB purges deleted rows later, which may lock the gaps beside them
        jdbc.execute("TRUNCATE TABLE batchsqs_inbox");
    }

    default Database prepared() {
        return prepared(new JdbcTransactionManager(dataSource()));
    }

    default Database prepared(PlatformTransactionManager transactions) {
        return prepared(transactions, dataSource());
    }

    static Database prepared(PlatformTransactionManager transactions, DataSource source) {
        var database = Databases.of(source, transactions);
        database.prepare(InboxTable.NAME);
        return database;
    }

    default BatchListener<Object> inbox(Database database, BatchListener<Object> handler) {
        return inbox(database, new MessageIds(null), ORDERS, handler);
    }

    default BatchListener<Object> inbox(
            Database database, MessageIds ids, String queueUrl, BatchListener<Object> handler) {
        return inbox(database, ids, queueUrl, messages -> {}, handler);
    }

    static BatchListener<Object> inbox(
            Database database, MessageIds ids, String queueUrl, IntConsumer skipped, BatchListener<Object> handler) {
        return inbox(database, ids, queueUrl, TestMessage.LAST_RECEIVE, skipped, handler);
    }

    static BatchListener<Object> inbox(
            Database database,
            MessageIds ids,
            String queueUrl,
            int maxReceives,
            IntConsumer skipped,
            BatchListener<Object> handler) {
        var inbox = new InboxListener(
                handler, ids, new InboxTransactions(database, TimeSource.system(), "orders"), skipped);
        inbox.found(
                new Queue("orders", queueUrl),
                new QueueAttributes(Duration.ofSeconds(30), new RedrivePolicy("dead", maxReceives)));
        return inbox;
    }

    /** The messages have a key, which is their payload. */
    default BatchListener<Object> keyed(String queueUrl, BatchListener<Object> handler) {
        return inbox(prepared(), new MessageIds("payload"), queueUrl, handler);
    }

    default BatchListener<Object> inbox(BatchListener<Object> handler) {
        return inbox(prepared(), handler);
    }

    default void store(SqsMessage<?> message) {
        int one = new JdbcTemplate(dataSource())
                .update("INSERT INTO handled (id) VALUES (?)", String.valueOf(message.payload()));
        assertThat(one).isOne();
    }

    default BatchOutcome storeAll(MessageBatch<Object> batch) {
        batch.forEach(this::store);
        return BatchOutcome.done();
    }

    default List<String> handled() {
        return Databases.column(dataSource(), "SELECT id FROM handled ORDER BY id");
    }

    default List<String> recorded() {
        return Databases.column(dataSource(), "SELECT id FROM batchsqs_inbox ORDER BY id");
    }

    default String recordedQueue() {
        return Databases.column(dataSource(), "SELECT queue FROM batchsqs_inbox")
                .getFirst();
    }

    static void assertNotRun(BatchOutcome outcome, MessageBatch<Object> batch, int... indexes) {
        for (int index : indexes) {
            assertThat(outcome.of(batch.messages().get(index)))
                    .isInstanceOfSatisfying(
                            BatchOutcome.Retry.class,
                            retry -> assertThat(retry.cause()).isInstanceOf(NotRunException.class));
        }
    }

    /** Returns the ids of the messages whose failures an exception names. */
    private static Set<String> failedIds(Throwable failure) {
        return ((PartialBatchException) failure).failedIds().keySet();
    }

    private static List<SqsMessage<Object>> named(MessageBatch<Object> batch, String... ids) {
        return batch.messages().stream()
                .filter(message -> List.of(ids).contains(message.id()))
                .toList();
    }

    /** Runs a batch on another thread than that of the test. */
    private static CompletableFuture<BatchOutcome> beside(BatchListener<Object> inbox, MessageBatch<Object> batch) {
        var outcome = new CompletableFuture<BatchOutcome>();
        Thread unused = Thread.ofVirtual().start(() -> {
            try {
                outcome.complete(inbox.onBatch(batch));
            } catch (Exception failure) {
                outcome.completeExceptionally(failure);
            }
        });
        return outcome;
    }

    /** Stores all messages, and lets one be tried again while it is not alone. */
    private BatchListener<Object> retrying(String id) {
        return batch -> {
            var outcome = BatchOutcome.perMessage();
            for (SqsMessage<Object> message : batch) {
                store(message);
                if (message.id().equals(id) && batch.size() > 1) {
                    outcome.retry(message);
                } else {
                    outcome.done(message);
                }
            }
            return outcome.build();
        };
    }

    private static List<String> done(BatchOutcome outcome, MessageBatch<Object> batch) {
        return batch.messages().stream()
                .filter(each -> outcome.of(each) instanceof BatchOutcome.Done)
                .map(SqsMessage::id)
                .toList();
    }

    @Test
    default void aMessageThatFailedLeavesNothingAndRunsAgainAndTheOthersDoNot() throws Exception {
        BatchListener<Object> inbox = inbox(retrying("b"));
        MessageBatch<Object> batch = TestMessage.batch("a", "b", "c");

        assertThat(done(inbox.onBatch(batch), batch)).containsExactly("a", "c");
        assertThat(handled()).containsExactly("a", "c");
        assertThat(recorded()).containsExactly("a", "c");
        inbox.onBatch(batch);
        assertThat(handled()).containsExactly("a", "b", "c");
    }

    @Test
    default void messagesThatAnExceptionNamesAreThoseOfTheCallThatRan() throws Exception {
        inbox(this::storeAll).onBatch(TestMessage.batch("a"));
        BatchListener<Object> inbox = inbox(batch -> {
            store(batch.messages().getFirst());
            if (batch.size() > 1) {
                throw PartialBatchException.of(List.of(batch.messages().get(1)), new IllegalStateException("second"));
            }
            return BatchOutcome.done();
        });

        Throwable failure = catchThrowable(() -> inbox.onBatch(TestMessage.batch("a", "b", "c")));

        assertThat(failedIds(failure)).containsExactly("c");
        assertThat(recorded()).containsExactly("a", "b");
        assertThat(handled()).containsExactly("a", "b");
    }

    @Test
    default void anExceptionThatNamesMoreThanTheCallFailsTheWholeBatch() throws Exception {
        inbox(this::storeAll).onBatch(TestMessage.batch("a"));
        BatchListener<Object> inbox = inbox(batch -> {
            throw PartialBatchException.of(
                    TestMessage.batch("a").messages(), new IllegalStateException("not of the call"));
        });

        assertThatThrownBy(() -> inbox.onBatch(TestMessage.batch("a", "b", "c")))
                .isNotInstanceOf(PartialBatchException.class)
                .hasMessageContaining("among the 2 of its call")
                .hasNoCause();
        assertThat(recorded()).containsExactly("a");
    }

    @Test
    default void aDeadLetterStaysOneWhenALaterRunNamesFailuresByAnException() throws Exception {
        BatchListener<Object> inbox = inbox(batch -> {
            List<SqsMessage<Object>> poison = named(batch, "x");
            if (!poison.isEmpty()) {
                return BatchOutcome.perMessage()
                        .deadLetter(poison.getFirst(), new IllegalStateException("poison"))
                        .othersDone()
                        .build();
            }
            if (batch.size() > 1) {
                throw PartialBatchException.of(List.of(batch.messages().get(1)), new IllegalStateException("second"));
            }
            return BatchOutcome.done();
        });
        MessageBatch<Object> batch = TestMessage.batch("a", "b", "x");

        BatchOutcome outcome = inbox.onBatch(batch);

        assertThat(outcome.of(batch.messages().get(2))).isInstanceOf(BatchOutcome.DeadLetter.class);
        assertThat(done(outcome, batch)).doesNotContain("b");
    }

    @Test
    default void aMessageBehindAFailedOneHasNoPartInItsCause() throws Exception {
        BatchListener<Object> inbox = inbox(batch -> {
            List<SqsMessage<Object>> failing = named(batch, "a1");
            if (!failing.isEmpty()) {
                throw PartialBatchException.of(failing, new IllegalArgumentException("a1"));
            }
            return storeAll(batch);
        });

        assertThatThrownBy(() -> inbox.onBatch(TestMessage.fifo(inGroup("a1"), inGroup("a2"))))
                .isInstanceOfSatisfying(
                        PartialBatchException.class,
                        partial -> assertThat(partial.failedIds().get("a2")).hasNoCause());
    }

    @Test
    default void aHandlerThatFailsMessageByMessageRunsThreeTimesAtMost() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        BatchListener<Object> inbox = inbox(batch -> {
            runs.incrementAndGet();
            throw PartialBatchException.of(List.of(batch.messages().getFirst()), new IllegalStateException("first"));
        });

        assertThat(failedIds(catchThrowable(() -> inbox.onBatch(TestMessage.batch("a", "b", "c", "d", "e")))))
                .hasSize(5);
        assertThat(runs).hasValue(3);
        assertThat(recorded()).isEmpty();
    }

    @Test
    default void aPartialFailureThroughTheHandlersOwnTransactionRunsTheOthersAgain() throws Exception {
        var transactions = new JdbcTransactionManager(dataSource());
        BatchListener<Object> inbox = inbox(prepared(transactions), batch -> {
            new TransactionTemplate(transactions).executeWithoutResult(status -> {
                storeAll(batch);
                if (batch.messages().stream().anyMatch(message -> message.id().equals("b"))) {
                    throw PartialBatchException.of(named(batch, "b"), null);
                }
            });
            return BatchOutcome.done();
        });

        assertThat(failedIds(catchThrowable(() -> inbox.onBatch(TestMessage.batch("a", "b", "c")))))
                .containsExactly("b");

        assertThat(handled()).containsExactly("a", "c");
        assertThat(recorded()).containsExactly("a", "c");
    }

    @Test
    default void aTransactionMarkedForRollbackWithoutAFailureFailsTheBatch() {
        var transactions = new JdbcTransactionManager(dataSource());
        BatchListener<Object> inbox = inbox(prepared(transactions), batch -> {
            new TransactionTemplate(transactions).executeWithoutResult(status -> {
                storeAll(batch);
                status.setRollbackOnly();
            });
            return BatchOutcome.done();
        });

        assertThatThrownBy(() -> inbox.onBatch(TestMessage.batch("a"))).hasMessageContaining("marked for rollback");
        assertThat(handled()).isEmpty();
        assertThat(recorded()).isEmpty();
    }

    @Test
    default void nothingOfAGroupIsCommittedAheadOfAFailedMessageOfIt() throws Exception {
        List<List<String>> runs = new ArrayList<>();
        BatchListener<Object> inbox = inbox(batch -> {
            runs.add(batch.messages().stream().map(SqsMessage::id).toList());
            return retrying("a2").onBatch(batch);
        });
        MessageBatch<Object> batch = TestMessage.fifo(inGroup("a1"), inGroup("a2"), inGroup("b1"), inGroup("a3"));

        assertThat(done(inbox.onBatch(batch), batch)).containsExactly("a1", "b1");
        assertThat(runs).containsExactly(List.of("a1", "a2", "b1", "a3"), List.of("a1", "b1"));
        assertThat(handled()).containsExactly("a1", "b1");
        assertThat(recorded()).containsExactly("a1", "b1");
    }

    @Test
    default void twoMessagesWithOneKeyShareOneRunAndItsOutcome() throws Exception {
        BatchListener<Object> inbox = keyed(ORDERS, this::storeAll);

        BatchOutcome outcome = inbox.onBatch(
                TestMessage.batch(List.of(new TestMessage("1", "key", null), new TestMessage("2", "key", null))));

        assertThat(outcome).isEqualTo(BatchOutcome.done());
        assertThat(handled()).containsExactly("key");
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // that it is refused
    default void aMessageWithoutAKeyOfItsOwnFailsAlone() throws Exception {
        BatchListener<Object> inbox = keyed(ORDERS, this::storeAll);
        MessageBatch<Object> batch = TestMessage.batch(List.of(
                new TestMessage("1", " ", null),
                new TestMessage("2", new byte[] {1}, null), // its text is another one at each delivery
                new TestMessage("3", new Date(1_000), null), // it depends on the time zone
                new TestMessage("4", "key", null)));

        assertThat(done(inbox.onBatch(batch), batch)).containsExactly("4");
        assertThat(handled()).containsExactly("key");
    }

    @Test
    default void keysThatCollationsTakeForEqualAreDifferent() throws Exception {
        BatchListener<Object> inbox = keyed(ORDERS, this::storeAll);
        List<String> keys = List.of("key", "KEY", "key ", "k\u00e9y", "k\u00c9y", "x".repeat(200), "x".repeat(201));

        for (String key : keys) {
            inbox.onBatch(TestMessage.batch(List.of(new TestMessage(key + "-id", key, null))));
        }

        assertThat(handled()).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(recorded()).hasSize(keys.size());
    }

    @Test
    default void aLargeBatchIsRecorded() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        BatchListener<Object> inbox = inbox(batch -> {
            ran.addAndGet(batch.size());
            return BatchOutcome.done();
        });
        String[] ids = IntStream.range(0, 10_000).mapToObj(i -> "m" + i).toArray(String[]::new);

        inbox.onBatch(TestMessage.batch("m7", "m1700"));
        inbox.onBatch(TestMessage.batch(ids));

        assertThat(ran).hasValue(10_000);
        assertThat(recorded()).hasSize(10_000);
    }

    @Test
    default void instancesWithTheSameMessagesAtOnceProcessEachOnce() throws Exception {
        var random = new Random(42);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Void>> running = new ArrayList<>();
            AtomicInteger batches = new AtomicInteger();
            for (int instance = 0; instance < instances(); instance++) {
                BatchListener<Object> inbox = inbox(this::storeAll);
                List<String> ids = new ArrayList<>(
                        IntStream.range(0, 400).mapToObj(i -> "m" + i).toList());
                Collections.shuffle(ids, random);
                running.add(CompletableFuture.runAsync(() -> allOf(ids, inbox, batches), threads));
            }
            Progress.until(batches::get, 10 * instances());
            for (CompletableFuture<Void> instance : running) {
                Void ignored = Progress.get(instance);
            }
        }
        assertThat(handled()).hasSize(400).doesNotHaveDuplicates();
    }

    /** Passes batches of 40, again while the database refuses them. */
    private static void allOf(List<String> ids, BatchListener<Object> inbox, AtomicInteger batches) {
        for (int from = 0; from < ids.size(); from += 40) {
            MessageBatch<Object> batch =
                    TestMessage.batch(ids.subList(from, from + 40).toArray(String[]::new));
            boolean done = false;
            for (int attempt = 0; !done && attempt < 10_000; attempt++) {
                try {
                    done = inbox.onBatch(batch).equals(BatchOutcome.done());
                } catch (Exception refused) {
                    assertThat(refused).isInstanceOf(DataAccessException.class);
                }
            }
            assertThat(done).isTrue();
            int unused = batches.incrementAndGet();
        }
    }

    @Test
    default void aCommitThatFailsLeavesTheMessagesToTheNextRunUnlessItHasCommitted() throws Exception {
        var failures = new AtomicInteger(2);
        var transactions = new JdbcTransactionManager(dataSource()) {
            @Override
            protected void doCommit(DefaultTransactionStatus status) {
                boolean handles = "batchsqs-inbox".equals(status.getTransactionName());
                int left = handles ? failures.getAndDecrement() : 0;
                if (left == 2) {
                    doRollback(status);
                    throw new TransactionSystemException("not committed");
                }
                super.doCommit(status);
                if (left == 1) {
                    throw new TransactionSystemException("committed, but the response was lost");
                }
            }
        };
        BatchListener<Object> inbox = inbox(prepared(transactions), this::storeAll);

        assertThatThrownBy(() -> inbox.onBatch(TestMessage.batch("a"))).hasMessage("not committed");
        assertThat(handled()).isEmpty();
        assertThat(inbox.onBatch(TestMessage.batch("a"))).isEqualTo(BatchOutcome.done());
        assertThat(handled()).containsExactly("a");
        assertThat(inbox.onBatch(TestMessage.batch("a"))).isEqualTo(BatchOutcome.done());
        assertThat(handled()).containsExactly("a");
    }

    @Test
    default void retentionDeletesOldRowsAndKeepsTheOthers() {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource());
        long now = System.currentTimeMillis();
        List<Object[]> rows = new ArrayList<>();
        for (int i = 0; i < 2_100; i++) {
            rows.add(new Object[] {
                "orders", "old" + i, 1L, now - Duration.ofDays(15).toMillis()
            });
        }
        rows.add(new Object[] {"orders", "new", 1L, now - Duration.ofDays(13).toMillis()});
        int[] ignored = jdbc.batchUpdate("INSERT INTO batchsqs_inbox VALUES (?, ?, ?, ?)", rows);
        assertThat(ignored).hasSize(2_101);

        new Retention(
                        prepared(),
                        new JdbcSettings.Inbox(Duration.ofDays(14)),
                        new InboxMeters(null),
                        TimeSource.system())
                .clean();

        assertThat(recorded()).containsExactly("new");
    }

    @Test
    default void idsAreThoseOfTheRegionTheAccountAndTheNameOfAQueue() throws Exception {
        for (String url : List.of(
                ORDERS,
                ORDERS.replace("111111111111", "222222222222"),
                ORDERS.replace("eu-central-1", "eu-west-1"),
                "https://vpce-0abc-1def.sqs.eu-central-1.vpce.amazonaws.com/111111111111/orders")) {
            keyed(url, this::storeAll).onBatch(TestMessage.batch(List.of(new TestMessage("1", "key", null))));
        }

        assertThat(handled()).containsExactly("key", "key", "key");
    }

    /** Runs a batch while another transaction holds ids, until the batch has ended or the condition holds; then that one is rolled back. */
    private CompletableFuture<BatchOutcome> besideHolder(
            BatchListener<Object> inbox, MessageBatch<Object> batch, Callable<Boolean> until, String... ids)
            throws Exception {
        inbox.onBatch(TestMessage.batch("before"));
        String queue = recordedQueue();
        Database database = prepared();
        TransactionTemplate holder = new TransactionTemplate(new JdbcTransactionManager(dataSource()));
        // The rows alone: by default, MariaDB may lock the gap before a row, and an id in it is busy, too
        holder.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        return holder.execute(status -> {
            for (String id : ids) {
                new InboxTable(database).insertOne(queue, id, 1, 1);
            }
            CompletableFuture<BatchOutcome> started = beside(inbox, batch);
            Progress.until(() -> started.isDone() || until.call());
            status.setRollbackOnly();
            return started;
        });
    }

    /** J3: one busy id failed its whole batch after 30 s, and cost each message an attempt. */
    @Test
    default void anIdThatAnotherTransactionHoldsDelaysOnlyItself() throws Exception {
        BatchListener<Object> inbox = inbox(this::storeAll);
        MessageBatch<Object> batch = TestMessage.batch("a", "b", "c", "d", "e");
        BatchOutcome outcome = besideHolder(inbox, batch, () -> false, "b", "e").join();
        assertThat(done(outcome, batch)).containsExactly("a", "c", "d");
        assertNotRun(outcome, batch, 1, 4);
        assertThat(inbox.onBatch(batch)).isEqualTo(BatchOutcome.done());
        assertThat(handled()).containsExactly("a", "b", "before", "c", "d", "e");
    }

    @Test
    default void nothingOfAGroupRunsAheadOfAMessageWhoseIdIsHeld() throws Exception {
        MessageBatch<Object> batch = TestMessage.fifo(inGroup("a1"), inGroup("b1"), inGroup("a2"));
        BatchOutcome outcome =
                besideHolder(inbox(this::storeAll), batch, () -> false, "a1").join();
        assertThat(done(outcome, batch)).containsExactly("b1");
        // neither uses an attempt: the second has not run either
        assertNotRun(outcome, batch, 0, 2);
        assertThat(handled()).containsExactly("b1", "before");
    }

    /** An inbox that notes what its handler runs. */
    private BatchListener<Object> noting(List<String> ran, BatchListener<Object> handler) {
        return inbox(messages -> {
            messages.forEach(message -> ran.add(message.id()));
            return handler.onBatch(messages);
        });
    }

    /**
     * It never ran, and a further receive would send it to the dead-letter queue. A failure beside it is one of its own transaction, and
     * neither dead-letters it nor fails what has committed.
     */
    @ParameterizedTest
    @CsvSource({"none, before;b1;a1;a2", "b1, before;a1;a2", "a1, before;b1"})
    default void aMessageAtItsLastReceiveWaitsForItsId(String failing, String committed) throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        BatchListener<Object> inbox = noting(ran, messages -> {
            if (messages.messages().getFirst().id().equals(failing)) {
                throw new IllegalStateException("on purpose");
            }
            return storeAll(messages);
        });
        MessageBatch<Object> batch =
                TestMessage.fifo(inGroup("a1"), inGroup("b1"), inGroup("a2").last());
        CompletableFuture<BatchOutcome> beside = besideHolder(inbox, batch, () -> ran.contains("b1"), "a1");
        List<String> done = List.of(committed.split(";"));
        if (failing.equals("none")) {
            assertThat(Progress.done(beside).join()).isEqualTo(BatchOutcome.done());
        } else {
            assertThat(failedIds(Progress.failure(beside)))
                    .doesNotContainAnyElementsOf(done)
                    .hasSize(4 - done.size());
        }
        assertThat(ran).containsExactly("before", "b1", "a1", "a2");
        assertThat(recorded()).containsExactlyInAnyOrderElementsOf(done);
    }

    /** It ran ahead of a message of its group that had failed while it waited. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    default void whatWaitsAtItsLastReceiveDoesNotRunAheadOfAMessageThatFailed(boolean named) throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        BatchListener<Object> inbox = noting(ran, messages -> {
            if (messages.messages().getFirst().id().equals("a1")) {
                var failure = new IllegalStateException("on purpose");
                throw named
                        ? PartialBatchException.of(List.of(messages.messages().getFirst()), failure)
                        : failure;
            }
            return storeAll(messages);
        });
        MessageBatch<Object> batch =
                TestMessage.fifo(inGroup("a1"), inGroup("a2"), inGroup("a3").last());
        CompletableFuture<BatchOutcome> beside = besideHolder(inbox, batch, () -> ran.contains("a1"), "a2");
        assertThat(failedIds(Progress.failure(beside))).containsExactlyInAnyOrder("a1", "a2", "a3");
        assertThat(ran).containsExactly("before", "a1");
        assertThat(recorded()).containsExactly("before");
    }

    /** Each of three runs failed at another message: what is left returns, and so does what waits behind it. */
    @Test
    default void whatWaitsAtItsLastReceiveDoesNotRunAheadOfAMessageThatWasRolledBackTooOften() throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        BatchListener<Object> inbox = noting(ran, messages -> {
            List<SqsMessage<Object>> failing =
                    named(messages, "b1", "c1", "d1").stream().limit(1).toList();
            if (!failing.isEmpty()) {
                throw PartialBatchException.of(failing, new IllegalStateException("on purpose"));
            }
            return storeAll(messages);
        });
        MessageBatch<Object> batch = TestMessage.fifo(
                inGroup("a1"),
                inGroup("b1"),
                inGroup("c1"),
                inGroup("d1"),
                inGroup("a2").last());
        CompletableFuture<BatchOutcome> beside =
                besideHolder(inbox, batch, () -> Collections.frequency(ran, "a1") == 3, "a2");
        assertThat(failedIds(Progress.failure(beside))).containsExactlyInAnyOrder("a1", "a2", "b1", "c1", "d1");
        assertThat(ran).doesNotContain("a2");
        assertThat(recorded()).containsExactly("before");
    }

    /** It was reported as failed. At its last receive it went to the dead-letter queue for that, even if it had not run. */
    @Test
    default void whatIsBehindADeadLetterRuns() throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        BatchListener<Object> inbox = noting(ran, messages -> {
            SqsMessage<Object> first = messages.messages().getFirst();
            return first.id().equals("a1")
                    ? BatchOutcome.perMessage()
                            .deadLetter(first, new IllegalStateException("poison"))
                            .othersDone()
                            .build()
                    : storeAll(messages);
        });
        MessageBatch<Object> batch = TestMessage.fifo(
                inGroup("a1"), inGroup("a2").last(), inGroup("a3").last());
        BatchOutcome outcome = Progress.done(besideHolder(inbox, batch, () -> ran.contains("a1"), "a3"))
                .join();
        assertThat(outcome.of(batch.messages().getFirst())).isInstanceOf(BatchOutcome.DeadLetter.class);
        assertThat(done(outcome, batch)).containsExactly("a2", "a3");
        assertThat(ran).containsExactly("before", "a1", "a2", "a2", "a3");
        assertThat(recorded()).containsExactlyInAnyOrder("before", "a2", "a3");
    }

    @Test
    default void aCallbackThatThrowsAnErrorAfterTheCommitDoesNotRepeatTheBatch() throws Exception {
        BatchListener<Object> inbox = inbox(batch -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    throw new NoClassDefFoundError("after the commit");
                }
            });
            return storeAll(batch);
        });

        assertThat(inbox.onBatch(TestMessage.batch("a"))).isEqualTo(BatchOutcome.done());
        assertThat(handled()).containsExactly("a");
    }

    /** As MySQL, MariaDB and H2 do after a deadlock, which the handler has caught. */
    @Test
    default void aTransactionThatTheDatabaseHasUndoneIsNotCommittedAsASuccess() {
        Database database = prepared();
        assumeThat(database.dialect()).isNotEqualTo(Dialect.POSTGRESQL);
        BatchListener<Object> inbox = inbox(database, batch -> {
            store(batch.messages().getFirst());
            Boolean undone = new JdbcTemplate(dataSource()).execute((ConnectionCallback<Boolean>) connection -> {
                connection.rollback();
                return true;
            });
            assertThat(undone).isTrue();
            store(batch.messages().getLast());
            return BatchOutcome.done();
        });

        assertThatThrownBy(() -> inbox.onBatch(TestMessage.batch("a", "b")))
                .hasMessageContaining("has undone the transaction");
        assertThat(handled()).isEmpty();
        assertThat(recorded()).isEmpty();
    }

    /** PostgreSQL undoes the transaction then, and its driver reported a commit: the message was deleted, and had no effect. */
    @Test
    default void anErrorOfTheDatabaseThatTheHandlerHidesLosesNoMessage() {
        BatchListener<Object> inbox = inbox(batch -> {
            storeAll(batch);
            assertThatThrownBy(() -> new JdbcTemplate(dataSource()).update("DELETE FROM no_such_table"))
                    .isInstanceOf(DataAccessException.class);
            return BatchOutcome.done();
        });

        List<String> done =
                catchThrowable(() -> inbox.onBatch(TestMessage.batch("a"))) == null ? List.of("a") : List.of();

        assertThat(handled()).isEqualTo(done);
        assertThat(recorded()).isEqualTo(done);
    }

    @Test
    default void groupsOfAStandardQueueHaveNoOrder() throws Exception {
        MessageBatch<Object> batch = TestMessage.batch(List.of(inGroup("a1"), inGroup("a2")));

        assertThat(done(inbox(retrying("a1")).onBatch(batch), batch)).containsExactly("a2");
        assertThat(handled()).containsExactly("a2");
    }

    @Test
    default void theTableOfTheScriptFits() {
        new InboxTable(prepared()).check(System.currentTimeMillis());

        assertThat(recorded()).isEmpty();
    }

    /** Asserts what the check says of a table with these columns. */
    default void assertTableRefused(String definition, String... words) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource());
        try {
            jdbc.execute("DROP TABLE batchsqs_inbox");
            jdbc.execute("CREATE TABLE batchsqs_inbox " + definition);
            assertThatThrownBy(() -> new InboxTable(prepared()).check(System.currentTimeMillis()))
                    .hasMessageContainingAll(words);
        } finally {
            jdbc.execute("DROP TABLE batchsqs_inbox");
            Database unused = prepared();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(queue VARCHAR(200), id VARCHAR(128), claim BIGINT, processed_at BIGINT) | takes an id twice",
                "(queue VARCHAR(200), id VARCHAR(128), claim BIGINT, processed_at BIGINT, PRIMARY KEY (queue, id, processed_at)) | takes",
                "(queue VARCHAR(200), id VARCHAR(128), claim BIGINT, processed_at BIGINT, PRIMARY KEY (id)) | batchsqs_inbox",
                "(queue VARCHAR(200), id VARCHAR(36), claim BIGINT, processed_at BIGINT, PRIMARY KEY (queue, id)) | batchsqs_inbox"
            })
    default void aTableThatDoesNotFitIsRefused(String definition, String words) {
        assertTableRefused(definition, words, "schema-");
    }

    @Test
    default void aBatchOfNewMessagesCostsOneInsertAndARead() throws Exception {
        HookedSource counting = new HookedSource(dataSource());
        AtomicInteger statements = new AtomicInteger();
        counting.beforeEach("", sql -> statements.incrementAndGet());
        Database database = prepared(new JdbcTransactionManager(counting), counting);
        BatchListener<Object> inbox = inbox(database, batch -> BatchOutcome.done());
        inbox.onBatch(TestMessage.batch("before")); // the queue is found
        statements.set(0);

        for (int size : new int[] {1, 10, 100}) {
            inbox.onBatch(TestMessage.batch(IntStream.range(0, size)
                    .mapToObj(i -> "size-" + size + "-" + i)
                    .toArray(String[]::new)));

            assertThat(statements.getAndSet(0))
                    .as("statements of a batch of %d", size)
                    .isEqualTo(2);
        }
        inbox.onBatch(TestMessage.batch("before", "new"));

        assertThat(statements.getAndSet(0))
                .as("statements of a batch with a duplicate")
                .isEqualTo(3);
    }
}
