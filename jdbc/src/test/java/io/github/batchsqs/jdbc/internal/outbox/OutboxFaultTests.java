/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.send.KeptFuture;
import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.send.StoredMessage;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.HookedSource;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import io.github.batchsqs.jdbc.internal.inbox.Unreadable;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.Status;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox at moments that a test of whole instances does not reach, on H2. */
class OutboxFaultTests extends OutboxFixture {

    @AutoClose
    private final HikariDataSource source = Databases.h2();

    private final HookedSource hooked = new HookedSource(source);
    private final List<String> sent = Collections.synchronizedList(new ArrayList<>());
    private final List<CompletableFuture<SendResult>> hanging = Collections.synchronizedList(new ArrayList<>());

    private Instance instance(DataSource database) {
        return closed(new Instance(database, sqs, clock));
    }

    private Instance instance(DataSource database, Sender sender) {
        return closed(new Instance(database, sqs, clock, sender));
    }

    private List<String> rows() {
        return Databases.column(source, "SELECT id FROM batchsqs_outbox ORDER BY id");
    }

    private static SendEntry inGroup(String group, String body) {
        return new SendEntry(body, Map.of(), null, group, group + "-" + body);
    }

    private static KeptMessage standard(String body) {
        return new KeptMessage(
                "q",
                false,
                new SendEntry(body, Map.of(), null, null, null),
                null,
                new KeptFuture("q", new CompletableFuture<>()));
    }

    private static List<String> ids(List<Candidate> claimed) {
        return claimed.stream().map(each -> String.valueOf(each.id())).toList();
    }

    private static List<String> claimed(Instance instance) {
        return ids(instance.claim(UnaryOperator.identity()).rows());
    }

    /** Runs the relay on a thread of its own. */
    private static void whileRelaying(Instance one, Runnable work) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> unused = threads.submit(() -> one.relay.run(Duration.ZERO));
            try {
                work.run();
            } finally {
                one.relay.end();
            }
        }
    }

    @Test
    void aGroupThatOnePageHasPassedOverGivesNoRowToALaterPage() {
        Instance other = instance(source);
        Instance one = instance(hooked);
        other.commit("q.fifo", "last", List.of("1"));
        assertThat(claimed(other)).hasSize(1);
        one.commit("q.fifo", "last", numbers(2, 501));
        one.commit("q.fifo", "last", numbers(501, 503));
        hooked.before(
                2,
                "LIMIT 500",
                sql -> new JdbcTemplate(source)
                        .update("DELETE FROM batchsqs_outbox WHERE group_id = 'last' AND body = '1'"));

        assertThat(claimed(one)).isEmpty();
        assertThat(claimed(one)).isEqualTo(rows().subList(0, 500));
    }

    /** Both are committed between the two pages, and the first one has an id of the first page. */
    @Test
    void aRowOfALaterPageDoesNotOvertakeOneThatTheFirstPageDidNotSee() {
        Instance other = instance(source);
        Instance one = instance(hooked);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            other.commit("q.fifo", "hot", List.of("sent"));
            assertThat(claimed(other)).hasSize(1);
            var pages = new CountDownLatch(1);
            var stored = new CountDownLatch(1);
            Future<?> slow = threads.submit(() -> other.transaction.executeWithoutResult(status -> {
                assertThat(other.store("q.fifo", List.of(inGroup("g", "1")))).hasSize(1);
                stored.countDown();
                Progress.until(() -> pages.getCount() == 0);
            }));
            Progress.until(() -> stored.getCount() == 0);
            one.commit("q.fifo", "hot", numbers(0, 500));
            assertThat(claimed(one)).isEmpty();
            hooked.before(2, "LIMIT 500", sql -> {
                pages.countDown();
                Progress.until(slow::isDone);
                other.commit("q.fifo", "g", List.of("2"));
            });
            assertThat(claimed(one)).isEmpty();
            assertThat(claimed(one)).hasSize(2).last().isEqualTo(rows().getLast());
        }
    }

    @Test
    void aClaimBehindRowsThatAreBeingSentReadsNoFurtherThanItNeeds() {
        Instance one = instance(hooked);
        for (int i = 0; i < 20; i++) {
            one.commit(
                    "q.fifo",
                    numbers(500 * i, 500 * (i + 1)).stream()
                            .map(group -> inGroup(group, "1"))
                            .toList());
        }
        assertThat(claimed(one)).hasSize(500);
        List<String> pages = Collections.synchronizedList(new ArrayList<>());
        hooked.beforeEach("LIMIT 500", pages::add);
        List<String> second = claimed(one);
        assertThat(pages.size() + " pages for " + second.size() + " rows").isEqualTo("2 pages for 500 rows");
    }

    @Test
    void aRelayThatStartsAgainWithRowsThatPauseWasNotLate() {
        try (LogCapture log = LogCapture.warnings()) {
            AtomicBoolean fails = new AtomicBoolean(true);
            Instance one = instance(source, failingWhile(fails::get));
            boolean unused = one.relay.cycle();
            one.commit("q", null, List.of("1"));
            one.relayUntil(() -> one.relay.own().isEmpty());
            unused = one.relay.cycle();
            one.relay.end();
            one.relay.run(Duration.ofMinutes(1));
            one.relay.begin();
            unused = one.relay.cycle();
            assertThat(log.events()).noneMatch(each -> each.toString().contains("did not show in time"));
        }
    }

    @Test
    void aRowThatIsReleasedDuringAClaimIsNotOvertaken() {
        Instance other = instance(source);
        Instance one = instance(hooked);
        other.commit("q.fifo", "g", List.of("1"));
        assertThat(claimed(other)).hasSize(1);
        one.commit("q.fifo", "g", List.of("2"));
        hooked.before(
                1, "LIMIT 500", sql -> new JdbcTemplate(source).update("UPDATE batchsqs_outbox SET owner = NULL"));

        assertThat(claimed(one)).isEqualTo(rows());
    }

    private static final SendResult ACCEPTED = new SendResult("q", "1", null, null);

    /** Accepts all but those that hang. */
    private Sender noting() {
        return (client, messages) -> messages.stream()
                .map(each -> {
                    sent.add(each.entry().body());
                    if (!each.entry().body().startsWith("hangs")) {
                        return CompletableFuture.completedFuture(ACCEPTED);
                    }
                    var future = new CompletableFuture<SendResult>();
                    hanging.add(future);
                    return future;
                })
                .toList();
    }

    /** Claims begin behind the rows of a queue that takes no more, and with these when it does. */
    @ParameterizedTest
    @ValueSource(strings = {"full.fifo", "full"})
    void whatWaitsForRoomIsSentThenAheadOfTheNextOfItsGroup(String queue) {
        Instance one = instance(source, noting());
        one.commit(
                queue,
                numbers(0, 2_000).stream().map(group -> inGroup(group, "hangs")).toList());
        one.commit(queue, List.of(inGroup("g", "waits")));
        one.relayUntil(() -> hanging.size() == 2_000);
        for (int i = 0; i < 4; i++) {
            clock.advance(Duration.ofSeconds(10)); // until lower ids are not expected any more
            one.commit("q.fifo", "x", List.of(String.valueOf(i)));
            one.relayUntil(() -> rows().size() == 2_001);
        }
        one.commit(queue, List.of(inGroup("g", "next")));
        hanging.forEach(each -> each.complete(ACCEPTED));
        one.relayUntil(() -> rows().isEmpty());
        if (queue.endsWith(".fifo")) {
            assertThat(sent).containsSubsequence("waits", "next");
        }
    }

    /** It waited for the next look, and a stop did not send it. */
    @Test
    void whatWaitsBehindTheOwnRowsOfAQueueIsSentWhenTheyEnd() {
        Instance one = instance(source, noting());
        Progress.until(() -> !one.relay.cycle());
        one.commit("q", null, Collections.nCopies(2_000, "hangs"));
        one.transaction.executeWithoutResult(status -> one.store.insert("default", List.of(standard("waits")), null));
        one.commit("q.fifo", "x", List.of("claimed without the others"));
        one.relayUntil(() -> hanging.size() == 2_000 && rows().size() == 2_001);
        hanging.forEach(each -> each.complete(ACCEPTED));
        one.relayUntil(() -> rows().isEmpty());
    }

    /** A claim that another instance prevented was taken for a failure until there was room for the next one. */
    @Test
    void aRelayThatHasNoRoomForAClaimDoesNotFail() {
        Instance one = instance(source, noting());
        Progress.until(() -> !one.relay.cycle());
        one.transaction.executeWithoutResult(status -> {
            var claims = new JdbcTemplate(source)
                    .queryForList("SELECT id FROM batchsqs_outbox_lock WHERE id = 'claim' FOR UPDATE");
            assertThat(claims).hasSize(1);
            CompletableFuture.runAsync(() -> {
                        one.commit("q.fifo", "x", List.of("waits"));
                        for (String queue : List.of("a", "b", "c", "d")) {
                            one.commit(
                                    queue,
                                    null,
                                    Collections.nCopies(
                                            4, "hangs".repeat(1 << 18).substring(0, 1 << 20)));
                        }
                        one.relayUntil(() -> hanging.size() == 16);
                        clock.advance(Duration.ofSeconds(10));
                        Progress.until(() -> !one.relay.cycle());
                        assertThat(one.relay.failingFor()).isZero();
                    })
                    .join();
        });
    }

    @Test
    void anInstanceThatIsTakenForDeadWhileItSendsLogsIt() {
        try (LogCapture log = LogCapture.warnings()) {
            Instance one = instance(source, noting());
            one.commit("q.fifo", "g", List.of("hangs"));
            one.relayUntil(() -> hanging.size() == 1);
            one.dies();
            clock.advance(Duration.ofSeconds(1));
            boolean unused = one.relay.cycle();
            assertThat(log.event()).contains("another instance may also send the 1 messages");
        }
    }

    @Test
    void anInstanceThatGoesOnAsAnotherOneStillTellsOfItsOpenTransactions() {
        Instance one = instance(source);
        Progress.until(() -> !one.relay.cycle());
        one.transaction.executeWithoutResult(status -> {
            one.store("q", List.of(inGroup("g", "1")));
            String before = one.store.owner();
            CompletableFuture.runAsync(() -> {
                        one.dies();
                        clock.advance(Duration.ofSeconds(1));
                        one.relayUntil(() -> !one.store.owner().equals(before));
                    })
                    .join();
            assertThat(one.store.in(OutboxTable::alive))
                    .containsEntry(one.store.owner(), one.relay.own().open())
                    .doesNotContainEntry(one.store.owner(), Long.MAX_VALUE);
        });
    }

    /** J6: each claim passed over all rows that were deleted. */
    @Test
    void aMessageToAStandardQueueIsSentWithoutALook() {
        List<String> looks = Collections.synchronizedList(new ArrayList<>());
        Instance one = instance(hooked);
        boolean unused = one.relay.cycle();
        unused = one.relay.cycle();
        hooked.beforeEach("SELECT", looks::add);
        one.commit("q", null, numbers(0, 50));
        Progress.until(() -> {
            boolean more = one.relay.cycle();
            return !more && rows().isEmpty();
        });
        assertThat(sqs.bodies()).hasSize(50);
        assertThat(looks).isEmpty();
    }

    /** What has committed is sent by its transaction, though a look finds the row before that learns of the commit. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRowIsSentOnceThoughALookFindsItBeforeItsTransactionKnowsOfTheCommit(boolean learns) {
        Instance one = instance(source);
        boolean unused = one.relay.cycle();
        List<KeptMessage> kept = List.of(standard("1"));
        Outbox.Batch batch =
                Objects.requireNonNull(one.transaction.execute(status -> one.outbox.store("default", kept)));
        one.relay.wake();
        unused = one.relay.cycle();
        assertThat(rows()).hasSize(1);
        if (learns) {
            batch.committed();
        } else {
            batch.notCommitted();
        }
        one.relay.end();
        one.relay.run(Duration.ofMinutes(1));
        assertThat(rows()).isEmpty();
        assertThat(sqs.bodies()).containsExactly("1");
    }

    @Test
    void whatIsDeletedWhileItsQueueFailsIsNotSentLater() {
        AtomicBoolean fails = new AtomicBoolean(true);
        Sender sender = failingWhile(fails::get);
        Instance one = instance(source, sender);
        boolean ignored = one.relay.cycle();
        one.commit("q", null, numbers(0, 2_500)); // more than are sent at once
        one.relayUntil(() -> one.relay.own().isEmpty());
        assertThat(new BatchSqsOutboxEndpoint(one.store, one.relay).delete(rows().getLast()))
                .isEqualTo(Map.of("deleted", 1));

        fails.set(false);
        relayLater(one, () -> rows().isEmpty());
        assertThat(sent).hasSize(2_499).doesNotContain("2499");
    }

    @Test
    void whatIsStoredAndDeletedWhileItsQueueFailsIsNotSentLater() {
        AtomicBoolean fails = new AtomicBoolean(true);
        Instance one = instance(source, failingWhile(() -> fails.getAndSet(false)));
        boolean ignored = one.relay.cycle();
        one.commit("q", null, List.of("first"));
        relayLater(one, () -> freed() == 1);
        one.commit("q", null, List.of("stored since"));
        assertThat(new BatchSqsOutboxEndpoint(one.store, one.relay).delete(rows().getLast()))
                .isEqualTo(Map.of("deleted", 1));
        relayLater(one, () -> rows().isEmpty());
        assertThat(sent).containsExactly("first");
    }

    private Sender failingWhile(BooleanSupplier fails) {
        return (client, messages) -> messages.stream()
                .map(each -> {
                    if (fails.getAsBoolean()) {
                        return CompletableFuture.<SendResult>failedFuture(new IllegalStateException("on purpose"));
                    }
                    sent.add(each.entry().body());
                    return CompletableFuture.completedFuture(ACCEPTED);
                })
                .toList();
    }

    @Test
    void outcomesAreWrittenInShortTransactions() {
        Instance one = instance(hooked, noting());
        one.commit("a", null, Collections.nCopies(400, "hangs"));
        one.commit("b", null, Collections.nCopies(400, "hangs"));
        one.relayUntil(() -> hanging.size() == 800);
        hanging.forEach(each -> each.completeExceptionally(new IllegalStateException("on purpose")));
        Progress.until(() -> hanging.stream().allMatch(each -> each.getNumberOfDependents() == 0));
        clock.advance(Duration.ofSeconds(2)); // beyond the pause
        hooked.before(2, "SET owner = NULL, attempts", HookedSource.FAILS);
        assertThatThrownBy(one.relay::cycle).hasStackTraceContaining("on purpose");
        assertThat(freed()).isEqualTo(500);

        boolean unused = one.relay.cycle();
        assertThat(freed()).isEqualTo(800);
    }

    private int freed() {
        return Databases.column(source, "SELECT id FROM batchsqs_outbox WHERE attempts <> 0 AND error IS NOT NULL")
                .size();
    }

    /** The look at the whole table and the count take long in a large table, and may never end in time. */
    @ParameterizedTest
    @ValueSource(strings = {"LIMIT 500", "COUNT("})
    void whatLooksAtTheWholeTableKeepsNothingFromBeingSent(String statement) {
        Instance one = instance(hooked);
        boolean unused = one.relay.cycle();
        hooked.beforeEach(statement, HookedSource.FAILS);
        for (int i = 1; i < 4; i++) {
            one.commit("q", null, List.of(String.valueOf(i)));
            clock.advance(Duration.ofMinutes(1));
            assertThatThrownBy(one.relay::cycle).hasStackTraceContaining("on purpose");
            int sent = i;
            Progress.until(() -> sqs.bodies().size(), sent);
            unused = one.relay.cycle();
        }
    }

    @Test
    void aStopTriesAgainToWriteOutcomes() {
        Instance one = closed(new Instance(hooked, sqs, TimeSource.system()));
        one.commit("q", null, numbers(0, 5));
        boolean unused = one.relay.cycle();
        hooked.before(1, "DELETE FROM batchsqs_outbox", HookedSource.FAILS);
        one.relay.end();
        one.relay.run(Duration.ofMinutes(1));
        assertThat(rows()).isEmpty();
    }

    @Test
    void aStopTriesAgainToFindWhatItHasToSend() {
        Instance one = instance(hooked);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Progress.until(() -> !one.relay.cycle());
            one.transaction.executeWithoutResult(
                    status -> one.store.insert("default", List.of(standard("1")), one.store.owner()));
            hooked.before(1, "LIMIT 500", sql -> {
                clock.advance(Duration.ofMillis(500)); // the next look is due late
                throw new SQLException("on purpose");
            });
            one.relay.end();
            Future<?> drained = threads.submit(() -> one.relay.run(Duration.ofMinutes(1)));
            Progress.until(() -> {
                clock.advance(Duration.ofMillis(10));
                return drained.isDone();
            });
            assertThat(rows()).isEmpty();
        }
    }

    /** SQS may accept them behind the end, and another instance would send them again. */
    @Test
    void aStopTakesNoMoreRowsInTheLastFifthOfItsTimeAndWritesWhatEnds() {
        Instance other = instance(source);
        Instance one = instance(hooked);
        one.commit("q.fifo", "g", List.of("1"));
        hooked.before(1, "DELETE FROM batchsqs_outbox WHERE", sql -> {
            clock.advance(Duration.ofMillis(1_700));
            other.commit("q.fifo", "h", List.of("2"));
        });
        one.relay.end();
        one.relay.run(Duration.ofSeconds(2));
        assertThat(sqs.bodies()).containsExactly("1");
        assertThat(rows()).hasSize(1);
    }

    /** What nobody counts gets older nevertheless, so that an alert fires. */
    @Test
    void theAgeOfTheOldestMessageGrowsWhileTheRelayFails() {
        var registry = new SimpleMeterRegistry();
        Instance one = instance(source);
        Relay relay = new Relay(one.store, (client, messages) -> List.of(), new OutboxMeters(registry), clock);
        relay.begin();
        assertThat(registry.get("batchsqs.outbox.oldest.age").gauge().value()).isZero();
        clock.advance(Duration.ofSeconds(200));
        assertThat(registry.get("batchsqs.outbox.oldest.age").gauge().value()).isEqualTo(200);
    }

    @Test
    void aLongWaitOfAClaimIsAnOutageAndNoConflict() {
        List<Duration> failing = Collections.synchronizedList(new ArrayList<>());
        Instance one = instance(hooked);
        hooked.beforeEach("LIMIT 500", sql -> {
            failing.add(one.relay.failingFor());
            clock.advance(Duration.ofSeconds(10));
            throw new SQLTimeoutException("another instance has the lock");
        });
        whileRelaying(
                one,
                () -> Progress.until(() -> {
                    clock.advance(Duration.ofMillis(100));
                    return failing.size() > 2;
                }));
        assertThat(failing.get(0)).isZero();
        assertThat(failing.get(2)).isPositive();
    }

    @Test
    void futuresEndInTimeWhileTheDatabaseFails() {
        Instance one = instance(hooked);
        List<CompletableFuture<SendResult>> sent = one.commit("q.fifo", "g", List.of("1"));
        hooked.beforeEach("batchsqs_outbox", HookedSource.FAILS);
        clock.advance(Duration.ofMinutes(3));
        whileRelaying(
                one, () -> assertThat(Progress.failure(sent.getFirst())).hasMessageContaining("goes on sending it"));
    }

    /** Others may have its rows since the stop. */
    @Test
    void aRelayThatStartsAgainIsAnotherInstance() {
        Instance one = instance(source);
        boolean unused = one.relay.cycle();
        String before = one.store.owner();
        one.relay.end();
        one.relay.run(Duration.ZERO);
        one.relay.begin();
        assertThat(one.relay.isAlive()).isFalse();
        unused = one.relay.cycle();
        assertThat(one.store.owner()).isNotEqualTo(before);
        assertThat(one.relay.isAlive()).isTrue();
    }

    /** It lived, and took no row any more. */
    @Test
    void aRelayWhoseDrainWasInterruptedTakesRowsInItsNextRun() {
        Instance one = instance(source, noting());
        one.commit("q.fifo", "g", List.of("hangs"));
        one.relay.end();
        Thread draining = Thread.ofPlatform().start(() -> one.relay.run(Duration.ofSeconds(10)));
        Progress.until(hanging::size, 1);
        Progress.until(
                () -> { // as a stop that has waited for long enough
                    draining.interrupt();
                    return !draining.isAlive();
                });
        clock.advance(Duration.ofSeconds(9));
        one.relay.begin();
        one.commit("q.fifo", "h", List.of("hangs"));
        one.relayUntil(() -> hanging.size() == 2);
    }

    @Test
    void commitsDoNotEndAnOutageOfTheClaims() {
        Instance one = instance(hooked);
        var claims = new AtomicInteger();
        hooked.beforeEach("LIMIT 500", sql -> {
            claims.incrementAndGet();
            throw new SQLException("on purpose");
        });
        whileRelaying(one, () -> {
            Progress.until(() -> {
                clock.advance(Duration.ofMillis(100));
                return one.relay.failingFor().isPositive();
            });
            int before = claims.get();
            List<Duration> failing = new ArrayList<>();
            Progress.until(() -> {
                one.relay.wake();
                failing.add(one.relay.failingFor());
                return failing.size() == 20;
            });
            assertThat(claims.get() - before).isLessThan(2); // the next one is not due before the pause ends
            assertThat(failing).allMatch(Duration::isPositive);
        });
    }

    /** Others take this instance for dead by then, and send its rows. */
    @Test
    void whatWasClaimedForLongerThanTheLeaseIsNotSent() {
        Instance slow = closed(new Instance(hooked, sqs, clock, null, OutboxStore.LEASE, Duration.ofMinutes(1)));
        boolean unused = slow.relay.cycle();
        slow.commit("q.fifo", "g", List.of("1"));
        hooked.before(1, "body, attempts FROM", sql -> clock.advance(Duration.ofSeconds(6)));
        unused = slow.relay.cycle();
        assertThat(rows()).hasSize(1);
        slow.dies();
        Instance other = instance(source);
        assertThat(claimed(other)).hasSize(1);
        assertThat(sqs.carried()).isEmpty();
    }

    @Test
    void rowsThatAnotherInstanceHasClaimedAreNotRead() {
        Instance late = instance(source);
        Instance other = instance(source);
        late.commit("q.fifo", "g", numbers(0, 3));
        List<Candidate> claimed = late.claim(UnaryOperator.identity()).rows();
        late.dies();
        assertThat(claimed(other)).hasSize(3);
        assertThat(late.store.read(claimed)).isEmpty();
        assertThat(other.store.read(claimed)).hasSize(3);
    }

    @Test
    void attributesCountForTheSize() {
        Instance one = instance(source);
        Map<String, MessageAttribute> large = Map.of("a", MessageAttribute.string("x".repeat(3_000)));
        one.commit("q.fifo", List.of(new SendEntry("body", large, null, "g", "1")));
        List<Candidate> claimed = one.claim(UnaryOperator.identity()).rows();
        assertThat(claimed.getFirst().bytes()).isGreaterThan(4_000);
    }

    @Test
    void theMarkShowsWhetherTheDatabaseHasUndoneTheTransaction() {
        Instance one = instance(source);
        one.transaction.executeWithoutResult(
                status -> assertThat(one.outbox.begin().remove()).isTrue());
        one.transaction.executeWithoutResult(status -> {
            Outbox.Mark mark = one.outbox.begin();
            new JdbcTemplate(source).execute("ROLLBACK"); // as after a deadlock
            assertThat(mark.remove()).isFalse();
        });
        assertThat(Databases.column(source, "SELECT id FROM batchsqs_outbox_lock WHERE id LIKE 'mark%'"))
                .isEmpty();
    }

    /** The connection of the commit cannot remove it, as nothing commits that. */
    @Test
    void theMarkOfMessagesThatAreSentBehindTheCommitIsRemovedWithoutAutoCommit() {
        source.setAutoCommit(false);
        Instance one = instance(source);
        Outbox.Mark mark = Objects.requireNonNull(one.transaction.execute(status -> one.outbox.begin()));
        String marks = "SELECT id FROM batchsqs_outbox_lock WHERE id LIKE 'mark%'";
        assertThat(Databases.column(source, marks)).hasSize(1);
        one.outbox.storeLate("default", List.of(standard("1")), mark);
        Progress.until(() -> Databases.column(source, marks).isEmpty());
        assertThat(rows()).hasSize(1);
    }

    @Test
    void aTransactionOfAnotherManagerIsRefusedThoughThePoolHasNoAutoCommit() {
        source.setAutoCommit(false);
        Instance one = instance(source);
        try (HikariDataSource another = Databases.h2()) {
            var other = new TransactionTemplate(new JdbcTransactionManager(another));
            assertThatThrownBy(() -> other.executeWithoutResult(status -> {
                        assertThat(Databases.column(source, "SELECT 1")).hasSize(1);
                        assertThat(one.store("q", List.of(inGroup("g", "lost"))))
                                .hasSize(1);
                    }))
                    .hasMessageContaining("does not belong to the DataSource");
            assertThat(one.commit("q", null, List.of("kept"))).hasSize(1);
            assertThat(one.backlog().waiting()).isEqualTo(1);
        }
    }

    /** The messages of that queue, which are more than a look reads at a time, come first. */
    @Test
    void aQueueThatDoesNotRespondHidesNoRowOfADeadInstance() {
        Instance one = instance(source, noting());
        Instance other = instance(source);
        boolean unused = one.relay.cycle();
        unused = other.relay.cycle();
        one.commit("silent", null, Collections.nCopies(600, "hangs"));
        unused = one.relay.cycle();
        other.commit("q", null, List.of("left"));
        other.dies();
        clock.advance(Duration.ofSeconds(1)); // until the next look at the whole table
        unused = one.relay.cycle();
        unused = one.relay.cycle();
        assertThat(Databases.column(source, "SELECT owner FROM batchsqs_outbox WHERE queue = 'q'"))
                .containsExactly(one.store.owner());
    }

    @Test
    void aQueueThatFailsLeavesTheMemoryToTheOthers() {
        var rows = new RowsInFlight(clock);
        var failing = new Destination("default", "failing");
        var works = new Destination("default", "works");
        rows.fails(failing);
        List<Candidate> found = new ArrayList<>();
        for (long id = 0; id < 20; id++) {
            found.add(new Candidate(id, id < 10 ? failing : works, null, 600 << 10, null, false));
        }
        List<Candidate> chosen = rows.choose(found);
        assertThat(chosen)
                .filteredOn(each -> each.destination().equals(failing))
                .hasSize(1);
        assertThat(chosen).filteredOn(each -> each.destination().equals(works)).hasSize(5);
        rows.add(chosen);
        assertThat(rows.choose(found.subList(15, 20))).hasSize(1);
        assertThat(rows.choose(List.of(new Candidate(99, new Destination("default", "x"), null, 8 << 20, null, false))))
                .hasSize(1);
        rows.remove(chosen);
        assertThat(rows.full()).containsExactly(failing);
        clock.advance(Duration.ofSeconds(1));
        assertThat(rows.full()).isEmpty();
    }

    @Test
    void theRelaySurvivesAFailureWhoseMessageCannotBeRead() {
        Instance one = closed(new Instance(hooked, sqs, TimeSource.system()));
        one.commit("q", null, numbers(0, 3));
        hooked.before(1, "LIMIT 500", sql -> {
            throw new Unreadable();
        });
        whileRelaying(one, () -> Progress.until(() -> rows().isEmpty()));
    }

    @Test
    void aRowWhoseFailureHasNoReadableMessageIsSentAgain() {
        Sender failing = (client, messages) -> messages.stream()
                .map(each -> CompletableFuture.<SendResult>failedFuture(new Unreadable()))
                .toList();
        Instance one = instance(source, failing);
        one.commit("q", null, numbers(0, 3));
        relayLater(one, () -> freed() == 3);
    }

    @Test
    void aDatabaseThatDoesNotRespondIsAnOutage() {
        var entered = new CountDownLatch(1);
        var responds = new CountDownLatch(1);
        Instance one = instance(hooked);
        hooked.before(1, "LIMIT 500", sql -> {
            entered.countDown();
            try {
                responds.await();
            } catch (InterruptedException e) {
                throw new SQLException(e);
            }
        });
        whileRelaying(one, () -> {
            try {
                Progress.until(() -> entered.getCount() == 0);
                assertThat(one.relay.failingFor()).isZero();
                clock.advance(Duration.ofSeconds(40));
                assertThat(new OutboxHealth(one.relay, one.meters).health().getStatus())
                        .isEqualTo(Status.DOWN);
            } finally {
                responds.countDown();
            }
        });
    }

    @Test
    void futuresOfATransactionThatHasNotCommittedDoNotExpire() {
        Instance one = instance(source);
        one.transaction.executeWithoutResult(status -> {
            assertThat(one.store("q", List.of(inGroup("g", "1")))).hasSize(1);
            clock.advance(Duration.ofMinutes(3)); // the commit takes its time, and may fail
            boolean unused = one.relay.cycle();
        });
        assertThat(one.relay.own().futuresIf(any -> true)).hasSize(1);
    }

    @Test
    void onlyFuturesOfCommittedTransactionsMakeRoom() {
        var own = new OwnRows();
        List<OutboxRow> rows = LongStream.rangeClosed(0, OwnRows.MAX_FUTURES)
                .mapToObj(id -> new OutboxRow(
                        new Candidate(id, new Destination("default", "q"), null, 1, null, false),
                        new StoredMessage("q", inGroup("g", "1"), null),
                        0,
                        null))
                .toList();
        rows.forEach(row -> own.add(row, new KeptFuture("q", new CompletableFuture<>())));
        assertThat(own.futuresIf(any -> true)).isEmpty();
        assertThat(own.committed(rows, 1, any -> false)).hasSize(1);
        assertThat(own.futuresIf(deadline -> deadline == 1)).hasSize(OwnRows.MAX_FUTURES);
        assertThat(own.futuresIf(any -> true)).isEmpty();
    }

    /** It ended the run that had begun since. */
    @Test
    void aRelayThatOutlivesItsStopDoesNotStopTheNextRun() throws InterruptedException {
        var waits = new CountDownLatch(1);
        var responds = new CountDownLatch(1);
        Instance one = closed(new Instance(hooked, sqs, TimeSource.system()));
        hooked.before(1, "LIMIT 500", sql -> {
            waits.countDown();
            boolean interrupted = false;
            while (responds.getCount() > 0) {
                try {
                    responds.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        Thread first = Thread.ofPlatform().start(() -> one.relay.run(Duration.ZERO));
        waits.await();
        one.relay.end();
        first.interrupt(); // as a stop that has waited for long enough
        one.relay.begin();
        Thread next = Thread.ofPlatform().start(() -> one.relay.run(Duration.ZERO));
        responds.countDown();
        first.join();
        assertThat(one.relay.isRunning()).isTrue();
        one.commit("q.fifo", "g", List.of("1"));
        Progress.until(() -> rows().isEmpty());
        one.relay.end();
        next.join();
    }
}
