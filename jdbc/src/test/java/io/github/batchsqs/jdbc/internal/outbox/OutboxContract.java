/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** What the outbox guarantees on each database. */
abstract class OutboxContract extends OutboxFixture {

    abstract DataSource dataSource();

    @BeforeEach
    void emptyTables() {
        instance().close();
        new JdbcTemplate(dataSource()).update("DELETE FROM batchsqs_outbox");
        new JdbcTemplate(dataSource()).update("DELETE FROM batchsqs_outbox_lock WHERE id <> 'claim'");
    }

    Instance instance() {
        return instance(TimeSource.system());
    }

    Instance instance(TimeSource time) {
        return closed(new Instance(dataSource(), sqs, time));
    }

    List<String> rows() {
        return Databases.column(dataSource(), "SELECT id FROM batchsqs_outbox ORDER BY id");
    }

    private List<String> ofGroup(String group) {
        return sqs.messages().stream()
                .filter(each -> group.equals(each.groupId()))
                .map(SendEntry::body)
                .toList();
    }

    @Test
    void committedMessagesAreSentInTheOrderOfTheirGroupsAndDeleted() {
        Instance one = instance();
        List<CompletableFuture<SendResult>> sent = new ArrayList<>();
        sent.addAll(one.commit("q.fifo", "a", numbers(0, 30)));
        sent.addAll(one.commit("q.fifo", "b", numbers(0, 7)));
        sent.addAll(one.commit("q.fifo", "a", numbers(30, 45)));
        sent.addAll(one.commit("q", null, numbers(0, 25)));
        assertThat(rows()).hasSize(77);
        assertThat(sqs.messages()).isEmpty();

        one.relayUntil(() -> rows().isEmpty());

        assertThat(ofGroup("a")).isEqualTo(numbers(0, 45));
        assertThat(ofGroup("b")).isEqualTo(numbers(0, 7));
        assertThat(sqs.messages()).hasSize(77);
        assertThat(sent).allMatch(CompletableFuture::isDone).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(one.relay.own().futuresIf(any -> true)).isEmpty();
    }

    @Test
    void messagesAreSentExactlyAsTheyWereStored() {
        Map<String, MessageAttribute> attributes = Map.of(
                "text", MessageAttribute.text("String.label", "Grüße 🎉 'quoted' \"twice\" \\ end\n"),
                "number", MessageAttribute.number(42),
                "bytes", MessageAttribute.binary("Binary.png", new byte[] {0, 1, -1}));
        List<SendEntry> entries = List.of(
                new SendEntry("ünïcödé 🎉 ' \" \\ ? %s \t\n", attributes, null, null, null),
                new SendEntry("x".repeat(300_000), Map.of(), Duration.ofSeconds(7), "fair", null),
                new SendEntry(" blanks at the end  ", Map.of(), Duration.ZERO, null, null));
        Instance one = instance();
        Instance other = instance();
        one.commit("q", entries);
        one.dies(); // its memory has them too
        other.relayUntil(() -> rows().isEmpty());
        assertThat(sqs.messages()).containsExactlyInAnyOrderElementsOf(entries);
    }

    @Test
    void oneTransactionMayStoreMoreMessagesThanOneStatementTakes() {
        Instance one = instance();
        one.commit("q.fifo", "g", numbers(0, 1_234));
        one.relayUntil(() -> rows().isEmpty());
        assertThat(sqs.bodies()).isEqualTo(numbers(0, 1_234));
    }

    @Test
    void anInstanceThatDiesBehindTheSendIsRepeatedWithTheSameIds() {
        Instance dead = instance();
        Instance other = instance();
        dead.commit("q.fifo", "g", numbers(0, 20));
        boolean unused = dead.relay.cycle();
        Progress.until(() -> sqs.carried().size(), 20);
        assertThat(rows()).hasSize(20);

        dead.dies();
        other.relayUntil(() -> rows().isEmpty());
        assertThat(sqs.carried()).hasSize(40);
        assertThat(sqs.bodies()).isEqualTo(numbers(0, 20));
    }

    @Test
    void aGroupThatIsBeingSentStaysWithItsInstanceWhileThatLives() {
        var hanging = new CompletableFuture<SendResult>();
        Instance slow =
                closed(new Instance(dataSource(), sqs, TimeSource.system(), (client, messages) -> List.of(hanging)));
        Instance other = instance();
        slow.commit("q.fifo", "g", List.of("first"));
        boolean unused = slow.relay.cycle();
        other.commit("q.fifo", "g", List.of("second"));
        other.commit("q.fifo", "h", List.of("free"));
        other.relayUntil(() -> !sqs.messages().isEmpty());
        assertThat(other.claim(found -> found).blocked()).isTrue();
        assertThat(sqs.bodies()).containsExactly("free");

        slow.dies(); // it hangs as a whole
        other.relayUntil(() -> rows().isEmpty());
        assertThat(sqs.bodies()).containsExactly("free", "first", "second");
    }

    /** J1: a stored row belonged to its instance for 30 s, and held up those of all others. */
    @Test
    void aFreeInstanceSendsWhatAllHaveStoredInAGroup() {
        Instance one = instance();
        Instance two = instance();
        for (int i = 0; i < 10; i++) {
            one.commit("q.fifo", "g", List.of("a" + i));
            two.commit("q.fifo", "g", List.of("b" + i));
        }
        two.relayUntil(() -> rows().isEmpty());
        assertThat(sqs.bodies())
                .isEqualTo(IntStream.range(0, 20)
                        .mapToObj(i -> (i % 2 == 0 ? "a" : "b") + i / 2)
                        .toList());
    }

    @Test
    void anInstanceThatWasTakenForDeadGoesOnAsAnotherOne() {
        Instance late = instance(clock);
        Instance other = instance();
        boolean unused = late.relay.cycle();
        String before = late.store.owner();
        late.commit("q", null, List.of("1"));
        late.dies();
        other.relayUntil(() -> rows().isEmpty());
        clock.advance(Duration.ofSeconds(1));
        unused = late.relay.cycle();
        assertThat(late.store.owner()).isNotEqualTo(before);
        late.commit("q", null, List.of("2"));
        late.relayUntil(() -> rows().isEmpty());
        assertThat(sqs.bodies()).containsExactly("1", "2");
    }

    /** The mark of a transaction is a row that others must not wait for. */
    @Test
    void anInstanceBeginsWhileABusinessTransactionIsOpen() {
        Instance one = instance();
        new JdbcTemplate(dataSource()).update("INSERT INTO batchsqs_outbox_lock (id, alive_until) VALUES ('dead', 0)");
        one.transaction.executeWithoutResult(status -> {
            Outbox.Mark mark = one.outbox.begin();
            CompletableFuture.runAsync(() -> instance().close()).join();
            assertThat(mark.remove()).isTrue();
        });
        assertThat(Databases.column(dataSource(), "SELECT id FROM batchsqs_outbox_lock WHERE id = 'dead'"))
                .isEmpty();
    }

    @Test
    void aMessageOfALaterTimeWaitsAndHoldsUpNoOther() {
        Instance one = instance();
        Instant later = Instant.now().plus(Duration.ofDays(30));
        one.transaction.executeWithoutResult(status -> {
            assertThat(one.store("q.fifo", List.of(new SendEntry("later", Map.of(), null, "g", "l")), later))
                    .hasSize(1);
        });
        one.commit("q.fifo", "g", List.of("now"));
        one.relayUntil(() -> rows().size() == 1);
        assertThat(sqs.bodies()).containsExactly("now");
        assertThat(one.backlog().waiting()).isZero();

        new JdbcTemplate(dataSource()).update("UPDATE batchsqs_outbox SET due_at = due_at - 2592000000");
        one.relayUntil(() -> rows().isEmpty());
        assertThat(sqs.bodies()).containsExactly("now", "later");
    }

    /** It has a low id, behind which other instances no longer look. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMessageThatComesLateAndFailsIsNotOvertakenElsewhere(boolean parked) {
        var calls = new AtomicInteger();
        Instance one = instance(clock);
        Instance other = instance(clock);
        List<SendEntry> late = List.of(new SendEntry("late", Map.of(), null, "g", "late"));
        one.transaction.executeWithoutResult(status -> assertThat(
                        one.store("q.fifo", late, parked ? null : Instant.now().plus(Duration.ofDays(30))))
                .hasSize(1));
        var endpoint = new BatchSqsOutboxEndpoint(one.store, one.relay);
        String id = rows().getFirst();
        if (parked) {
            assertThat(endpoint.change(id, "park")).isEqualTo(Map.of("parked", 1));
        }
        for (int i = 0; i < 4; i++) {
            other.commit("q.fifo", "x", List.of(String.valueOf(i)));
            other.relayUntil(() -> rows().size() == 1);
            clock.advance(Duration.ofSeconds(10)); // until lower ids are not expected any more
        }
        assertThat(endpoint.change(id, "retry")).isEqualTo(Map.of("retried", 1));
        sqs.faults(FakeSqs.failing("AccessDenied", queue -> calls.incrementAndGet() == 1));
        one.relayUntil(() -> calls.get() == 1);
        boolean looks = other.relay.cycle(); // at the whole table, for the last time

        assertThat(looks).isFalse();
        other.commit("q.fifo", "g", List.of("after"));
        other.commit("q.fifo", "h", List.of("free"));
        other.relayUntil(() -> sqs.bodies().contains("free"));
        assertThat(sqs.bodies()).doesNotContain("after");
        relayLater(one, () -> {
            boolean unused = other.relay.cycle();
            return rows().isEmpty();
        });
        assertThat(ofGroup("g")).containsExactly("late", "after");
    }

    /** It has a low id, too: others are stored and sent before it is committed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSlowCommitIsNotOvertakenByTheNextOfItsGroup(boolean elsewhere) {
        Instance one = instance(clock);
        Instance other = instance(clock);
        Instance next = elsewhere ? other : one;
        Runnable others = () -> {
            for (int i = 0; i < 4; i++) {
                next.commit("q.fifo", "x", List.of(String.valueOf(i)));
                next.relayUntil(() -> rows().isEmpty());
                boolean unused = one.relay.cycle(); // its transaction has not ended
                clock.advance(Duration.ofSeconds(10)); // until lower ids are not expected any more
            }
        };
        List<SendEntry> slow = List.of(new SendEntry("slow", Map.of(), null, "g", "slow"));
        one.transaction.executeWithoutResult(status -> {
            assertThat(one.store("q.fifo", slow)).hasSize(1);
            CompletableFuture.runAsync(others).join();
        });
        next.commit("q.fifo", "g", List.of("next"));
        next.relayUntil(() -> rows().isEmpty());
        assertThat(ofGroup("g")).containsExactly("slow", "next");
    }

    @Test
    void messagesThatComeDueWaitWhileAnotherInstanceSendsTheirGroup() {
        Instance one = instance();
        Instance other = instance();
        for (int i = 0; i < 2; i++) { // the second time there are more than a claim takes
            int messages = 1 + 600 * i;
            one.transaction.executeWithoutResult(status -> {
                for (int j = 0; j < messages; j++) {
                    List<SendEntry> due = List.of(new SendEntry("due", Map.of(), null, "g", j + "due"));
                    assertThat(one.store("q.fifo", due, Instant.now().plus(Duration.ofDays(30))))
                            .hasSize(1);
                }
            });
            one.commit("q.fifo", "g", List.of("sent"));
            assertThat(one.claim(found -> found).rows()).hasSize(1);
            other.commit("q.fifo", "h", List.of("free"));
            new JdbcTemplate(dataSource()).update("UPDATE batchsqs_outbox SET due_at = 1 WHERE due_at > 0");

            assertThat(other.claim(found -> List.of()).rows()).isEmpty(); // sees the ids
            OutboxStore.Claim claim = other.claim(found -> found);
            assertThat(claim.rows()).extracting(row -> String.valueOf(row.id())).containsExactly(rows().getLast());
            assertThat(claim.blocked()).isTrue();
            new JdbcTemplate(dataSource()).update("DELETE FROM batchsqs_outbox");
        }
    }

    @Test
    void anInstanceThatCannotClaimFails() {
        try (LogCapture log = LogCapture.warnings()) {
            Instance one = instance(clock);
            one.transaction.executeWithoutResult(status -> {
                var claims = new JdbcTemplate(dataSource())
                        .queryForList("SELECT id FROM batchsqs_outbox_lock WHERE id = 'claim' FOR UPDATE");
                assertThat(claims).hasSize(1);
                CompletableFuture.runAsync(
                                () -> relayLater(one, () -> !log.events().isEmpty()), Thread::startVirtualThread)
                        .join();
                assertThat(one.relay.failingFor()).isPositive();
            });
            assertThat(log.event()).contains("keeps the row 'claim' of batchsqs_outbox_lock locked");
            relayLater(one, () -> one.relay.failingFor().isZero());
        }
    }

    @Test
    void aGroupWaitsForItsFirstMessageAlsoOnOtherInstances() {
        sqs.faults(new FakeSqs.Faults() {
            @Override
            public void before(Queue queue, List<SendEntry> entries) {
                if (entries.stream().anyMatch(each -> each.body().equals("0"))) {
                    throw FakeSqs.failure("AccessDenied", false);
                }
            }
        });
        Instance one = instance(clock);
        Instance other = instance();
        List<CompletableFuture<SendResult>> first = one.commit("q.fifo", "g", numbers(0, 15));
        one.relayUntil(() -> owned() == 10); // those of the call, in their pause; those behind them are free
        other.commit("q.fifo", "g", numbers(15, 20));
        other.commit("q.fifo", "h", List.of("free"));
        other.relayUntil(() -> !sqs.messages().isEmpty());
        assertThat(sqs.bodies()).containsExactly("free");
        assertThat(first).noneMatch(CompletableFuture::isDone);

        sqs.faults(new FakeSqs.Faults() {});
        clock.advance(Duration.ofSeconds(5));
        one.relayUntil(() -> failures() > 0 || rows().isEmpty());
        other.relayUntil(() -> {
            boolean unused = one.relay.cycle();
            return rows().isEmpty();
        });
        assertThat(ofGroup("g")).isEqualTo(numbers(0, 20));
    }

    private int owned() {
        return Databases.column(dataSource(), "SELECT id FROM batchsqs_outbox WHERE owner IS NOT NULL")
                .size();
    }

    private int failures() {
        return Databases.column(dataSource(), "SELECT attempts FROM batchsqs_outbox WHERE attempts > 0")
                .size();
    }

    @Test
    void aMessageThatIsRefusedForGoodStaysAndTheOthersGoOn() {
        sqs.faults(FakeSqs.refusing("on purpose", "3"::equals));
        Instance one = instance();
        List<CompletableFuture<SendResult>> sent = one.commit("q.fifo", "g", numbers(0, 12));
        one.relayUntil(() -> rows().size() == 1 && one.backlog().failed() == 1);
        assertThat(sqs.bodies()).hasSize(11).doesNotContain("3").startsWith("0", "1", "2", "4");
        assertThat(Progress.failure(sent.get(3)))
                .isInstanceOfSatisfying(
                        SendFailedException.class,
                        failure -> assertThat(failure.code()).isEqualTo("InvalidParameterValue"));
        assertThat(Databases.column(dataSource(), "SELECT error FROM batchsqs_outbox"))
                .singleElement()
                .asString()
                .contains("InvalidParameterValue", "on purpose");

        one.commit("q.fifo", "g", List.of("next"));
        one.relayUntil(() -> rows().size() == 1);
        sqs.faults(new FakeSqs.Faults() {});
        assertThat(new BatchSqsOutboxEndpoint(one.store, one.relay).change("all", "retry"))
                .isEqualTo(Map.of("retried", 1));
        one.relayUntil(() -> rows().isEmpty());
        assertThat(sqs.bodies()).hasSize(13).endsWith("next", "3");
    }

    /** J10: another setting of the queue lets such a message pass. */
    @Test
    void aMessageThatASettingOfTheQueueForbidsWaitsAndHoldsUpItsGroup() {
        sqs.faults(FakeSqs.refusing("Message must be shorter than 1024 bytes.", "0"::equals));
        Instance one = instance(clock);
        one.commit("q.fifo", "g", List.of("0"));
        relayLater(one, () -> failures() > 0);
        one.commit("q.fifo", "g", List.of("1"));
        assertThat(one.backlog().failed()).isZero();
        sqs.faults(new FakeSqs.Faults() {});
        relayLater(one, () -> rows().isEmpty());
        assertThat(sqs.bodies()).containsExactly("0", "1");
    }

    @Test
    void anErrorThatTheDatabaseCannotStoreDoesNotStopTheRelay() {
        sqs.faults(FakeSqs.refusing("\u0000 is no character" + "\uD83D\uDE00".repeat(600), "1"::equals));
        Instance one = instance();
        one.commit("q", null, numbers(0, 3));
        one.relayUntil(() -> rows().size() == 1 && one.backlog().failed() == 1);
        assertThat(Databases.column(dataSource(), "SELECT error FROM batchsqs_outbox"))
                .singleElement()
                .asString()
                .contains("is no character");
    }

    /** J2: a commit needs the database alone, also if SQS has never been there. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messagesWaitWhileSqsIsDownAndThenGoInOrder(boolean known) {
        sqs.faults(known ? FakeSqs.failing("ConnectionFailed", any -> true) : FakeSqs.notFinding("ConnectionFailed"));
        Instance one =
                closed(new Instance(dataSource(), sqs, clock, null, Duration.ofMinutes(10), Duration.ofMillis(300)));
        List<CompletableFuture<SendResult>> sent = one.commit("q.fifo", "g", numbers(0, 150));
        relayLater(one, () -> failures() > 0);
        assertThat(sent).noneMatch(CompletableFuture::isDone);
        clock.advance(Duration.ofMinutes(3)); // beyond the delivery timeout
        boolean unused = one.relay.cycle();
        assertThat(Progress.failure(sent.getFirst()))
                .isInstanceOfSatisfying(
                        SendFailedException.class,
                        failure -> assertThat(failure.code()).isEqualTo(SendFailedException.IN_OUTBOX));
        assertThat(rows()).hasSize(150);

        sqs.faults(new FakeSqs.Faults() {});
        one.relayUntil(() -> {
            clock.advance(Duration.ofSeconds(1));
            return rows().isEmpty();
        });
        assertThat(sqs.bodies()).isEqualTo(numbers(0, 150));
    }

    @Test
    void twoInstancesKeepTheOrderOfGroupsWhileCallsFail() {
        var random = new Random(5);
        sqs.faults(new FakeSqs.Faults() {
            @Override
            public void before(Queue queue, List<SendEntry> entries) {
                if (random.nextInt(5) == 0) {
                    boolean passes = random.nextBoolean();
                    throw FakeSqs.failure(passes ? "ServiceUnavailable" : "AccessDenied", passes);
                }
            }

            @Override
            public void after(Queue queue) {
                if (random.nextInt(10) == 0) {
                    throw FakeSqs.failure("ConnectionFailed", true);
                }
            }
        });
        int groups = 10;
        int rounds = 30;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                Instance one = instance();
                Instance two = instance()) {
            threads.execute(() -> one.relay.run(Duration.ofSeconds(5)));
            threads.execute(() -> two.relay.run(Duration.ofSeconds(5)));
            for (int group = 0; group < groups; group++) {
                String name = "g" + group;
                threads.execute(() -> {
                    for (int round = 0; round < rounds; round++) {
                        Instance any = round % 2 == 0 ? one : two;
                        var unused = any.commit("q.fifo", name, numbers(round * 3, round * 3 + 3));
                    }
                });
            }
            Progress.until(() -> sqs.messages().size(), groups * rounds * 3);
            Progress.until(() -> rows().size(), 0);
        }
        for (int group = 0; group < groups; group++) {
            assertThat(ofGroup("g" + group)).isEqualTo(numbers(0, rounds * 3));
        }
    }

    @Test
    void anInstanceThatStopsGivesItsRowsToTheOthers() {
        sqs.faults(FakeSqs.failing("AccessDenied", any -> true));
        Instance stopped = instance();
        Instance other = instance();
        stopped.commit("q.fifo", "g", numbers(0, 5));
        stopped.relay.end();
        stopped.relay.run(Duration.ofSeconds(5));
        sqs.faults(new FakeSqs.Faults() {});
        assertThat(rows()).hasSize(5);
        List<CompletableFuture<SendResult>> late = stopped.commit("q.fifo", "g", List.of("late"));
        assertThat(Progress.failure(late.getFirst())).hasMessageContaining("relay does not run in this instance");

        other.relayUntil(() -> rows().isEmpty());
        assertThat(sqs.bodies()).containsExactly("0", "1", "2", "3", "4", "late");
    }

    /** J5: a stop left what it had not sent yet, and said nothing. */
    @Test
    void aStopSendsWhatIsThere() {
        Instance one = instance(clock);
        one.commit("q", null, numbers(2_000, 5_000)); // before a sign of life, and so in the table alone
        boolean unused = one.relay.cycle();
        one.commit("q", null, numbers(0, 2_000));
        one.commit("q.fifo", "g", numbers(0, 50));
        one.relay.end();
        one.relay.run(Duration.ofMinutes(1));
        assertThat(rows()).isEmpty();
        assertThat(sqs.messages()).hasSize(5_050);
        assertThat(one.relay.isRunning()).isFalse();
    }

    @Test
    void theRowOfTheLockIsCreatedAgain() {
        new JdbcTemplate(dataSource()).update("DELETE FROM batchsqs_outbox_lock WHERE id = 'claim'");
        Instance one = instance();
        one.commit("q.fifo", "g", List.of("text"));
        one.relayUntil(() -> rows().isEmpty());
        assertThat(sqs.bodies()).containsExactly("text");
    }

    @Test
    void aReadOnlyTransactionIsRefusedInWords() {
        Instance one = instance();
        var readOnly = new TransactionTemplate(Objects.requireNonNull(one.transaction.getTransactionManager()));
        readOnly.setReadOnly(true);
        assertThatThrownBy(() -> readOnly.executeWithoutResult(
                        status -> assertThat(one.outbox.begin()).isNull()))
                .hasMessageContainingAll("read-only transaction", "remove readOnly");
    }

    @ParameterizedTest
    @CsvSource({
        "denied.fifo, works.fifo",
        "https://sqs.us-east-1.amazonaws.com/111111111111/same.fifo, https://sqs.us-east-1.amazonaws.com/222222222222/same.fifo"
    })
    void aQueueThatFailsDoesNotStopTheOthers(String denied, String works) {
        sqs.faults(FakeSqs.failing("AccessDenied", queue -> queue.url().endsWith(denied)));
        Instance one = instance(clock);
        for (int group = 0; group < 600; group++) { // more than a claim takes
            one.commit(denied, String.valueOf(group), List.of("denied"));
        }
        relayLater(one, () -> failures() > 0);
        one.commit(works, "g", numbers(12, 15));
        relayLater(one, () -> rows().size() == 600);
        assertThat(sqs.bodies()).isEqualTo(numbers(12, 15));
        assertThat(one.backlog().failed()).isZero();
    }

    @Test
    void messagesThatStayUnsentDoNotHoldUpTheOthersOfTheirQueue() {
        sqs.faults(FakeSqs.refusing("must be shorter than 262144 bytes", "too long"::equals));
        Instance one = instance(clock);
        one.commit("q", null, Collections.nCopies(12, "too long"));
        relayLater(one, () -> failures() > 0);
        one.commit("q", null, List.of("healthy"));
        relayLater(one, () -> rows().size() == 12);
        assertThat(sqs.bodies()).containsExactly("healthy");
        assertThat(one.backlog().failed()).isZero();
    }

    @Test
    void aRowThatCannotBeReadDoesNotHoldUpTheOthers() {
        Instance one = instance();
        one.commit("q.fifo", "g", numbers(0, 3));
        new JdbcTemplate(dataSource())
                .update("UPDATE batchsqs_outbox SET attributes = 'broken' WHERE id = ?", Long.valueOf(rows().get(1)));
        one.relayUntil(() -> rows().size() == 1 && one.backlog().failed() == 1);
        assertThat(sqs.bodies()).containsExactly("0", "2");
        assertThat(Databases.column(dataSource(), "SELECT error FROM batchsqs_outbox"))
                .singleElement()
                .asString()
                .contains("attributes in the outbox cannot be read");
    }

    @Test
    void theBacklogIsCounted() {
        Instance one = instance();
        assertThat(one.backlog()).isEqualTo(OutboxTable.Backlog.NONE);
        one.commit("q", null, numbers(0, 5));
        new JdbcTemplate(dataSource()).update("UPDATE batchsqs_outbox SET created_at = created_at - 9000");
        assertThat(one.backlog().waiting()).isEqualTo(5);
        assertThat(one.backlog().oldest()).isBetween(Duration.ofSeconds(9), Duration.ofMinutes(5));
    }
}
