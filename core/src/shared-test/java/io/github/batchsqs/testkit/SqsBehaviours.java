/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.EntryResult.Accepted;
import io.github.batchsqs.internal.client.EntryResult.Rejected;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What SQS does, tried on everything that stands in for it: the model, ElasticMQ, LocalStack and the simulator of the benchmarks.
 * Where one of them differs is said in {@link Difference}, and nowhere else.
 */
public abstract class SqsBehaviours {

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Long enough for a message that comes; a receive that gets one does not wait. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** What stands in for SQS. */
    public enum Server {
        MODEL,
        ELASTICMQ,
        LOCALSTACK,
        SIMULATOR
    }

    /** A rule of SQS that some servers do not keep. */
    public enum Difference {
        DELETE_OF_A_DELETED_MESSAGE("A delete of a message that was deleted before is successful", Server.ELASTICMQ),
        DELETE_BY_AN_OLD_HANDLE("On standard queues a delete by an old receipt handle is successful", Server.ELASTICMQ),
        EXPIRED_FIFO_HANDLE(
                "On FIFO an expired receipt handle neither deletes nor hides", Server.ELASTICMQ, Server.LOCALSTACK),
        REPEATED_RECEIVE(
                "A receive with the ReceiveRequestAttemptId of an earlier one returns the same messages",
                Server.LOCALSTACK),
        GROUP_BEHIND_A_MESSAGE_IN_FLIGHT(
                "What follows a message in flight in its group is withheld, also after some of it was returned",
                Server.LOCALSTACK),
        DEDUPLICATION_SCOPE(
                "With DeduplicationScope=messageGroup, groups have ids of their own",
                Server.ELASTICMQ,
                Server.LOCALSTACK),
        MAXIMUM_MESSAGE_SIZE("An entry above the queue's MaximumMessageSize fails alone", Server.ELASTICMQ),
        CODE_OF_MAXIMUM_MESSAGE_SIZE("That entry fails with InvalidParameterValue", Server.LOCALSTACK),
        CODE_OF_FORBIDDEN_CHARACTERS(
                "An entry whose body has a forbidden character fails with InvalidMessageContents", Server.ELASTICMQ),
        BATCH_BYTES("A batch of more than 1,048,576 bytes fails as a whole", Server.ELASTICMQ),
        FIFO_ENTRY_WITHOUT_GROUP("A batch to FIFO with an entry without a group fails as a whole", Server.ELASTICMQ),
        CODE_OF_A_MISSING_GROUP("That batch fails with MissingParameter", Server.LOCALSTACK);

        private final String rule;
        private final Server where;
        private final Server alsoWhere;

        Difference(String rule, Server where) {
            this(rule, where, where);
        }

        Difference(String rule, Server where, Server alsoWhere) {
            this.rule = rule;
            this.where = where;
            this.alsoWhere = alsoWhere;
        }
    }

    protected abstract Server server();

    protected abstract QueueClient client();

    /** Creates a queue with these attributes, by SQS's names. */
    protected abstract Queue create(String name, Map<String, String> attributes) throws InterruptedException;

    /** The ARN of a queue, for a redrive policy. */
    protected abstract String arn(Queue queue);

    // ---- visibility

    @Test
    void hidesAReceivedMessageUntilItsTimeoutEnds() throws Exception {
        Queue queue = standard(Map.of("VisibilityTimeout", "600"));
        send(queue, "a");
        ReceivedMessage first = only(receive(queue));
        assertThat(receiveAtOnce(queue)).isEmpty();
        assertAccepted(change(queue, first, SECOND));
        ReceivedMessage second = only(receive(queue));
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(List.of(first.receiveCount(), second.receiveCount())).containsExactly(1, 2);
        assertThat(second.receiptHandle()).isNotEqualTo(first.receiptHandle());
    }

    @Test
    void showsAMessageAtVisibilityZero() throws Exception {
        Queue queue = standard(Map.of());
        send(queue, "a");
        assertAccepted(change(queue, only(receive(queue)), Duration.ZERO));
        assertThat(only(receiveAtOnce(queue)).receiveCount()).isEqualTo(2);
    }

    @Test
    void forgetsAVisibilityChangeAtTheNextReceive() throws Exception {
        Queue queue = standard(Map.of("VisibilityTimeout", "30"));
        send(queue, "a");
        assertAccepted(change(queue, only(receive(queue)), SECOND));
        assertThat(receive(queue)).hasSize(1);
        assertThat(receive(queue, SECOND.multipliedBy(2))).isEmpty();
    }

    @Test
    void hidesADelayedMessage() throws Exception {
        Queue queue = standard(Map.of());
        for (Duration delay : List.of(Duration.ofMinutes(15), SECOND)) {
            sendAll(queue, List.of(new SendEntry(delay.toString(), Map.of(), delay, null, null)));
        }
        assertThat(bodies(receive(queue))).containsExactly(SECOND.toString());
        assertThat(receiveAtOnce(queue)).isEmpty();
    }

    @Test
    void endsALongPollWithAMessage() throws Exception {
        Queue queue = standard(Map.of());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<ReceivedMessage>> poll = threads.submit(() -> receive(queue));
            send(queue, "a");
            assertThat(Progress.get(poll)).hasSize(1);
        }
    }

    @Test
    void movesAMessageToTheDeadLetterQueueOnAFurtherReceive() throws Exception {
        Queue dead = standard(Map.of());
        Queue queue = standard(
                Map.of("RedrivePolicy", "{\"deadLetterTargetArn\":\"" + arn(dead) + "\",\"maxReceiveCount\":\"1\"}"));
        send(queue, "a");
        ReceivedMessage first = only(receive(queue));
        assertAccepted(change(queue, first, Duration.ZERO));
        assertThat(receiveAtOnce(dead)).isEmpty();
        assertThat(receiveAtOnce(queue)).isEmpty();
        assertThat(only(receive(dead)).id()).isEqualTo(first.id());
    }

    // ---- receipt handles

    @Test
    void acceptsAnOldHandleAndDeletesByTheNewest() throws Exception {
        skipWhere(Difference.DELETE_BY_AN_OLD_HANDLE);
        Queue queue = standard(Map.of("VisibilityTimeout", "1"));
        send(queue, "a");
        ReceivedMessage old = only(receive(queue));
        ReceivedMessage newest = only(receive(queue));
        assertAccepted(delete(queue, old));
        assertAccepted(delete(queue, newest));
        assertThat(receive(queue, SECOND.multipliedBy(2))).isEmpty();
    }

    @Test
    void acceptsTheDeleteOfADeletedMessage() throws Exception {
        skipWhere(Difference.DELETE_OF_A_DELETED_MESSAGE);
        Queue queue = standard(Map.of());
        send(queue, "a");
        ReceivedMessage message = only(receive(queue));
        assertAccepted(delete(queue, message));
        assertAccepted(delete(queue, message));
    }

    @Test
    void refusesWhatIsNoHandle() throws Exception {
        Queue queue = standard(Map.of());
        assertRejected(client().delete(queue, List.of("nonsense")).getFirst(), "ReceiptHandleIsInvalid");
    }

    // ---- sends

    @Test
    void refusesABodyWithAForbiddenCharacterAlone() throws Exception {
        Queue queue = standard(Map.of());
        List<EntryResult<SentMessage>> results =
                client().send(queue, List.of(entry("\u0001"), entry("fine \uD83D\uDE00")));
        assertRejected(
                results.get(0), differs(Difference.CODE_OF_FORBIDDEN_CHARACTERS) ? null : "InvalidMessageContents");
        assertThat(results.get(1)).isInstanceOf(Accepted.class);
        assertThat(only(receive(queue)).body()).isEqualTo("fine \uD83D\uDE00");
    }

    @Test
    void refusesAnEntryThatIsTooLargeForTheQueueAlone() throws Exception {
        skipWhere(Difference.MAXIMUM_MESSAGE_SIZE);
        Queue queue = standard(Map.of("MaximumMessageSize", "1024"));
        List<EntryResult<SentMessage>> results = client().send(queue, List.of(entry("x".repeat(1025)), entry("fine")));
        assertRejected(
                results.get(0), differs(Difference.CODE_OF_MAXIMUM_MESSAGE_SIZE) ? null : "InvalidParameterValue");
        assertThat(results.get(1)).isInstanceOf(Accepted.class);
    }

    @Test
    void failsABatchThatIsTooLong() throws Exception {
        skipWhere(Difference.BATCH_BYTES);
        Queue queue = standard(Map.of());
        List<SendEntry> entries = List.of(entry("a".repeat(600_000)), entry("b".repeat(600_000)));
        assertFails("BatchRequestTooLong", () -> client().send(queue, entries));
        assertThat(receiveAtOnce(queue)).isEmpty();
    }

    @Test
    void ordersNothingByTheGroupOfAStandardQueue() throws Exception {
        Queue queue = standard(Map.of());
        sendAll(queue, List.of(entry("a", "tenant", null), entry("b", "tenant", null)));
        List<String> bodies = new ArrayList<>();
        bodies.add(only(receive(queue, 1, null)).body());
        bodies.add(only(receive(queue, 1, null)).body());
        assertThat(bodies).containsExactlyInAnyOrder("a", "b");
    }

    // ---- FIFO

    @Test
    void withholdsTheRestOfAGroupWhileAnEarlierMessageIsInFlight() throws Exception {
        Queue queue = fifo(Map.of());
        sendInGroup(queue, "g", "1", "2", "3");
        sendInGroup(queue, "h", "x");
        List<ReceivedMessage> first = receive(queue, 2, null);
        assertThat(bodies(first)).containsExactly("1", "2");
        assertThat(bodies(receive(queue))).containsExactly("x");
        assertAccepted(delete(queue, first.get(0)));
        assertThat(receiveAtOnce(queue)).isEmpty();
        assertAccepted(delete(queue, first.get(1)));
        assertThat(bodies(receive(queue))).containsExactly("3");
    }

    @Test
    void deliversAnEarlierMessageThatIsVisibleAgainWhileALaterOneIsInFlight() throws Exception {
        skipWhere(Difference.GROUP_BEHIND_A_MESSAGE_IN_FLIGHT);
        Queue queue = fifo(Map.of());
        sendInGroup(queue, "g", "1", "2", "3");
        List<ReceivedMessage> first = receive(queue, 2, null);
        assertAccepted(change(queue, first.get(0), Duration.ZERO));
        assertThat(bodies(receive(queue))).containsExactly("1");
    }

    @Test
    void withholdsAReturnedMessageBehindAnEarlierOneInFlight() throws Exception {
        skipWhere(Difference.GROUP_BEHIND_A_MESSAGE_IN_FLIGHT);
        Queue queue = fifo(Map.of());
        sendInGroup(queue, "g", "1", "2");
        List<ReceivedMessage> both = receive(queue, 2, null);
        assertAccepted(change(queue, both.get(1), Duration.ZERO));
        assertThat(receiveAtOnce(queue)).isEmpty();
        assertAccepted(change(queue, both.get(0), Duration.ZERO));
        assertThat(bodies(receive(queue))).containsExactly("1", "2");
    }

    @Test
    void refusesAnExpiredHandle() throws Exception {
        skipWhere(Difference.EXPIRED_FIFO_HANDLE);
        Queue queue = fifo(Map.of("VisibilityTimeout", "1"));
        sendInGroup(queue, "g", "1");
        ReceivedMessage expired = only(receive(queue));
        ReceivedMessage newest = only(receive(queue));
        assertThat(delete(queue, expired)).isInstanceOf(Rejected.class);
        assertThat(newest.receiveCount()).isEqualTo(2);
    }

    @Test
    void dropsARepeatedDeduplicationIdInAnyGroupThoughTheMessageIsDeleted() throws Exception {
        Queue queue = fifo(Map.of());
        sendAll(queue, List.of(entry("1", "g", "d")));
        delete(queue, only(receive(queue)));
        sendAll(queue, List.of(entry("2", "g", "d"), entry("3", "h", "d"), entry("4", "g", "e")));
        assertThat(bodies(receive(queue))).containsExactly("4");
    }

    @Test
    void deduplicatesWithinTheGroupWhereSoSet() throws Exception {
        skipWhere(Difference.DEDUPLICATION_SCOPE);
        Queue queue = fifo(Map.of("DeduplicationScope", "messageGroup", "FifoThroughputLimit", "perMessageGroupId"));
        sendAll(queue, List.of(entry("1", "g", "d"), entry("2", "h", "d"), entry("3", "g", "d")));
        List<String> bodies = new ArrayList<>(bodies(receive(queue)));
        bodies.addAll(bodies(receiveAtOnce(queue)));
        assertThat(bodies).containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void hashesTheBodyWhereDeduplicationIsContentBased() throws Exception {
        Queue queue = fifo(Map.of("ContentBasedDeduplication", "true"));
        sendAll(queue, List.of(entry("1", "g", null), entry("1", "g", null), entry("2", "g", null)));
        assertThat(bodies(receive(queue))).containsExactly("1", "2");
    }

    @Test
    void failsABatchWithAnEntryWithoutAGroup() throws Exception {
        skipWhere(Difference.FIFO_ENTRY_WITHOUT_GROUP);
        Queue queue = fifo(Map.of());
        assertFails(
                differs(Difference.CODE_OF_A_MISSING_GROUP) ? null : "MissingParameter",
                () -> client().send(queue, List.of(entry("1", "g", "1"), entry("2", null, "2"))));
        assertThat(receiveAtOnce(queue)).isEmpty();
    }

    @Test
    void returnsTheSameMessagesToARepeatedReceive() throws Exception {
        skipWhere(Difference.REPEATED_RECEIVE);
        Queue queue = fifo(Map.of());
        sendInGroup(queue, "g", "1");
        sendInGroup(queue, "h", "2");
        String attempt = UUID.randomUUID().toString();
        List<ReceivedMessage> lost = receive(queue, 1, attempt);
        List<ReceivedMessage> again = receive(queue, 1, attempt);
        assertThat(bodies(again)).isEqualTo(bodies(lost));
    }

    // ---- how

    private void skipWhere(Difference difference) {
        assumeFalse(differs(difference), () -> server() + " differs from SQS: " + difference.rule);
    }

    private boolean differs(Difference difference) {
        return difference.where == server() || difference.alsoWhere == server();
    }

    private Queue standard(Map<String, String> attributes) throws InterruptedException {
        return create("behaviours-" + UUID.randomUUID(), attributes);
    }

    private Queue fifo(Map<String, String> attributes) throws InterruptedException {
        Map<String, String> all = new HashMap<>(attributes);
        all.put("FifoQueue", "true");
        return create("behaviours-" + UUID.randomUUID() + ".fifo", all);
    }

    private void send(Queue queue, String body) throws InterruptedException {
        sendAll(queue, List.of(entry(body)));
    }

    private void sendInGroup(Queue queue, String group, String... bodies) throws InterruptedException {
        List<SendEntry> entries = new ArrayList<>();
        for (String body : bodies) {
            entries.add(entry(body, group, group + body));
        }
        sendAll(queue, entries);
    }

    private void sendAll(Queue queue, List<SendEntry> entries) throws InterruptedException {
        assertThat(client().send(queue, entries)).hasOnlyElementsOfType(Accepted.class);
    }

    private static SendEntry entry(String body) {
        return entry(body, null, null);
    }

    private static SendEntry entry(String body, @Nullable String group, @Nullable String deduplicationId) {
        return new SendEntry(body, Map.of(), null, group, deduplicationId);
    }

    private List<ReceivedMessage> receive(Queue queue) throws InterruptedException {
        return receive(queue, WAIT);
    }

    private List<ReceivedMessage> receiveAtOnce(Queue queue) throws InterruptedException {
        return receive(queue, Duration.ZERO);
    }

    private List<ReceivedMessage> receive(Queue queue, Duration wait) throws InterruptedException {
        return client().receive(new ReceiveCall(queue, 10, wait, null, null));
    }

    private List<ReceivedMessage> receive(Queue queue, int max, @Nullable String attempt) throws InterruptedException {
        return client().receive(new ReceiveCall(queue, max, WAIT, null, attempt));
    }

    private EntryResult<Void> delete(Queue queue, ReceivedMessage message) throws InterruptedException {
        return client().delete(queue, List.of(message.receiptHandle())).getFirst();
    }

    private EntryResult<Void> change(Queue queue, ReceivedMessage message, Duration timeout)
            throws InterruptedException {
        return client().changeVisibility(queue, List.of(new VisibilityChange(message.receiptHandle(), timeout)))
                .getFirst();
    }

    private static List<String> bodies(List<ReceivedMessage> messages) {
        return messages.stream().map(ReceivedMessage::body).toList();
    }

    private static <T> T only(List<T> list) {
        assertThat(list).hasSize(1);
        return list.getFirst();
    }

    private static void assertAccepted(EntryResult<?> result) {
        assertThat(result).isInstanceOf(Accepted.class);
    }

    private static void assertRejected(EntryResult<?> result, @Nullable String code) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(expected(code, rejected.code())));
    }

    private static void assertFails(@Nullable String code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        QueueCallException.class, e -> assertThat(e.code()).isEqualTo(expected(code, e.code())));
    }

    /** Where the code differs, any is right. */
    private static String expected(@Nullable String code, String actual) {
        return code == null ? actual : code;
    }
}
