/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.model.sqs.Outcome.Done;
import io.github.batchsqs.model.sqs.Outcome.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ModelQueueTests {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration VISIBILITY = Duration.ofSeconds(10);
    private static final QueueSettings SETTINGS = QueueSettings.DEFAULT.withVisibilityTimeout(VISIBILITY);

    private final List<String> seen = new ArrayList<>();
    private final SqsModel<TextPayload> sqs = new SqsModel<>(new Seen());
    private long now = Duration.ofDays(20_000).toNanos();

    @Nested
    class StandardQueue {

        private final ModelQueue<TextPayload> queue = sqs.create("q", SETTINGS);

        @Test
        void hidesAReceivedMessageUntilItsTimeoutEnds() {
            String id = put(queue, "a").messageId();
            Received<TextPayload> first = only(receive(queue));
            assertThat(first.message().id()).isEqualTo(id);
            assertThat(first.receiveCount()).isOne();
            assertThat(queue.nextVisibleAt()).isEqualTo(now + VISIBILITY.toNanos());

            advance(VISIBILITY.minusNanos(1));
            assertThat(receive(queue)).isEmpty();
            assertThat(queue.inFlight(now)).isOne();
            advance(Duration.ofNanos(1));
            Received<TextPayload> second = only(receive(queue));

            assertThat(second.receiveCount()).isEqualTo(2);
            assertThat(second.receiptHandle()).isNotEqualTo(first.receiptHandle());
            assertThat(second.message().firstReceivedAt()).isEqualTo(now - VISIBILITY.toNanos());
        }

        @Test
        void deletesByTheNewestHandleOnlyAndAcceptsAnOlderOne() {
            put(queue, "a");
            String old = only(receive(queue)).receiptHandle();
            advance(VISIBILITY);
            String newest = only(receive(queue)).receiptHandle();

            assertThat(queue.delete(old, now)).isEqualTo(Outcome.done(Deletion.KEPT));
            assertThat(queue.delete(newest, now)).isEqualTo(Outcome.done(Deletion.DELETED));
            assertThat(queue.delete(newest, now)).isEqualTo(Outcome.done(Deletion.GONE_BEFORE));
            assertThat(queue.messages(now)).isEmpty();
        }

        @Test
        void deletesByAnOldHandleWhereSoSet() {
            queue.settings(SETTINGS.withOldHandleDeletes());
            put(queue, "a");
            String old = only(receive(queue)).receiptHandle();
            advance(VISIBILITY);
            receive(queue);
            assertThat(queue.delete(old, now)).isEqualTo(Outcome.done(Deletion.DELETED));
            assertThat(queue.inFlight(now)).isZero();
        }

        @Test
        void deletesAMessageThatIsVisibleAgain() {
            put(queue, "a", "b");
            String handle = receive(queue).getFirst().receiptHandle();
            advance(VISIBILITY);
            queue.delete(handle, now);
            assertThat(queue.visible(now)).isOne();
            assertThat(bodies(receive(queue))).containsExactly("b");
        }

        @Test
        void keepsNothingHiddenOfDeletedMessages() {
            put(queue, "a", "b");
            List<Received<TextPayload>> received = receive(queue);
            String handle = received.getFirst().receiptHandle();
            queue.changeVisibility(handle, SECOND.multipliedBy(30), now);
            queue.changeVisibility(handle, SECOND, now);
            received.forEach(each -> queue.delete(each.receiptHandle(), now));
            assertThat(queue.nextVisibleAt()).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void deliversTheOldestFirstInWhateverOrderTheyWereReturned() {
            put(queue, "a", "b", "c", "d");
            List<Received<TextPayload>> received = queue.receive(new ReceiveRequest(3), now);
            for (int i : new int[] {1, 2, 0}) {
                queue.changeVisibility(received.get(i).receiptHandle(), Duration.ZERO, now);
            }
            assertThat(bodies(receive(queue))).containsExactly("a", "b", "c", "d");
        }

        @Test
        void refusesWhatIsNoHandle() {
            assertRefused(queue.delete("nonsense", now), ErrorCode.RECEIPT_HANDLE_IS_INVALID);
            assertRefused(queue.changeVisibility("nonsense", SECOND, now), ErrorCode.RECEIPT_HANDLE_IS_INVALID);
        }

        @Test
        void countsAVisibilityChangeFromTheCallAndForgetsItAtTheNextReceive() {
            put(queue, "a");
            String handle = only(receive(queue)).receiptHandle();
            advance(Duration.ofSeconds(9));
            assertThat(queue.changeVisibility(handle, SECOND.multipliedBy(2), now))
                    .isEqualTo(Outcome.done(now + SECOND.multipliedBy(2).toNanos()));
            advance(Duration.ofSeconds(2));
            receive(queue);
            assertThat(queue.nextVisibleAt()).isEqualTo(now + VISIBILITY.toNanos());
        }

        @Test
        void showsAMessageAtVisibilityZero() {
            put(queue, "a");
            String handle = only(receive(queue)).receiptHandle();
            queue.changeVisibility(handle, Duration.ZERO, now);
            assertThat(queue.visible(now)).isOne();
            assertRefused(queue.changeVisibility(handle, SECOND, now), ErrorCode.MESSAGE_NOT_IN_FLIGHT);
        }

        @Test
        void refusesVisibilityChangesOfDeletedMessagesAndBeyondTwelveHours() {
            put(queue, "a", "b");
            List<Received<TextPayload>> received = receive(queue);
            queue.delete(received.get(0).receiptHandle(), now);
            advance(SECOND);
            for (Received<TextPayload> each : received) {
                assertRefused(
                        queue.changeVisibility(each.receiptHandle(), Duration.ofHours(12), now),
                        ErrorCode.INVALID_PARAMETER_VALUE);
            }
            assertRefused(
                    queue.changeVisibility(received.get(1).receiptHandle(), SECOND.negated(), now),
                    ErrorCode.INVALID_PARAMETER_VALUE);
        }

        @Test
        void movesAMessageToTheDeadLetterQueueOnAFurtherReceive() {
            ModelQueue<TextPayload> dead = sqs.create("dead", QueueSettings.DEFAULT);
            queue.settings(SETTINGS.withRedrive("dead", 1));
            put(queue, "a", "b");
            String handle = only(queue.receive(new ReceiveRequest(1), now)).receiptHandle();
            advance(VISIBILITY);
            assertThat(dead.visible(now)).isZero();

            assertThat(bodies(receive(queue))).containsExactly("b");

            Received<TextPayload> moved = only(receive(dead));
            assertThat(moved.message().payload().body()).isEqualTo("a");
            assertThat(moved.message().deadLetterSource()).isEqualTo("q");
            assertThat(queue.delete(handle, now)).isEqualTo(Outcome.done(Deletion.GONE_BEFORE));
            assertThat(dead.delete(handle, now)).isEqualTo(Outcome.done(Deletion.KEPT));
            assertThat(seen).containsSubsequence("received a 1", "moved a q dead", "received b 1", "received a 2");
        }

        @Test
        void hidesADelayedMessage() {
            queue.send(new Outgoing<>(new TextPayload("a"), null, null, SECOND), now);
            assertThat(receive(queue)).isEmpty();
            assertThat(queue.delayed(now)).isOne();
            assertThat(queue.inFlight(now)).isZero();
            advance(SECOND);
            assertThat(receive(queue)).hasSize(1);
        }

        @Test
        void ordersNothingByAGroup() {
            queue.send(new Outgoing<>(new TextPayload("a"), "tenant", null, null), now);
            queue.send(new Outgoing<>(new TextPayload("b"), "tenant", null, null), now);
            queue.receive(new ReceiveRequest(1), now);
            assertThat(only(receive(queue)).message().group()).isEqualTo("tenant");
        }

        @Test
        void failsASendThatIsTooLong() {
            assertFails(
                    ErrorCode.BATCH_REQUEST_TOO_LONG,
                    () -> queue.checkSend(List.of(out("a".repeat(600_000)), out("b".repeat(600_000)))));
            TextPayload withAttribute = new TextPayload("a".repeat(1_048_570), 1, 8);
            assertFails(
                    ErrorCode.BATCH_REQUEST_TOO_LONG, () -> queue.checkSend(List.of(new Outgoing<>(withAttribute))));
        }

        @Test
        void refusesBadEntriesAlone() {
            queue.settings(SETTINGS.withMaximumMessageSize(1024));
            assertRefused(queue.send(out("x".repeat(1025)), now), ErrorCode.INVALID_PARAMETER_VALUE);
            assertRefused(queue.send(out("\u0001"), now), ErrorCode.INVALID_MESSAGE_CONTENTS);
            assertRefused(queue.send(out(""), now), ErrorCode.MISSING_PARAMETER);
            TextPayload attributes = new TextPayload("a", 11, 20);
            assertRefused(queue.send(new Outgoing<>(attributes), now), ErrorCode.INVALID_PARAMETER_VALUE);
            assertRefused(send(queue, "a", "g", "d"), ErrorCode.INVALID_PARAMETER_VALUE);
            assertRefused(send(queue, "a", "g".repeat(129), null), ErrorCode.INVALID_PARAMETER_VALUE);
            Outgoing<TextPayload> late = new Outgoing<>(new TextPayload("a"), null, null, Duration.ofSeconds(901));
            assertRefused(queue.send(late, now), ErrorCode.INVALID_PARAMETER_VALUE);
            assertThat(queue.messages(now)).isEmpty();
        }

        @Test
        void deliversNoMoreThanMayBeInFlight() {
            queue.settings(SETTINGS.withMaxInFlight(1));
            put(queue, "a", "b");
            assertThat(receive(queue)).hasSize(1);
            assertThat(queue.receive(new ReceiveRequest(10, SECOND, null, null), now))
                    .isEmpty();
            assertFails(ErrorCode.OVER_LIMIT, () -> receive(queue));
        }

        @Test
        void failsAReceiveThatBreaksARule() {
            for (ReceiveRequest bad : List.of(
                    new ReceiveRequest(0),
                    new ReceiveRequest(11),
                    new ReceiveRequest(1, Duration.ofSeconds(21), null, null),
                    new ReceiveRequest(1, Duration.ZERO, Duration.ofHours(13), null),
                    new ReceiveRequest(1, Duration.ZERO, null, "attempt"))) {
                assertFails(ErrorCode.INVALID_PARAMETER_VALUE, () -> queue.receive(bad, now));
            }
        }

        @Test
        void deliversAMessageInFlightOnceMoreOnRequest() {
            put(queue, "a");
            Received<TextPayload> first = only(receive(queue));
            Received<TextPayload> again = queue.receiveAgain(first.message(), null, now);
            assertThat(again.receiveCount()).isEqualTo(2);
            assertThat(queue.inFlight(now)).isOne();
            assertThat(queue.delete(first.receiptHandle(), now)).isEqualTo(Outcome.done(Deletion.KEPT));
            assertThat(queue.delete(again.receiptHandle(), now)).isEqualTo(Outcome.done(Deletion.DELETED));
        }

        @Test
        void discardsAMessageAfterItsRetention() {
            put(queue, "a");
            advance(Duration.ofDays(3));
            put(queue, "b");
            String handle = receive(queue).getFirst().receiptHandle();
            advance(Duration.ofDays(1));
            assertThat(bodies(receive(queue))).containsExactly("b");
            assertThat(queue.delete(handle, now)).isEqualTo(Outcome.done(Deletion.GONE_BEFORE));
            queue.settings(SETTINGS.withRetention(Duration.ofHours(1)));
            assertThat(queue.messages(now)).isEmpty();
            assertThat(seen).contains("discarded a", "discarded b");
        }

        @Test
        void isEmptyAfterAPurge() {
            put(queue, "a", "b");
            queue.receive(new ReceiveRequest(1), now);
            queue.send(new Outgoing<>(new TextPayload("c"), null, null, SECOND), now);
            queue.purge();
            assertThat(queue.messages(now)).isEmpty();
            assertThat(queue.visible(now) + queue.inFlight(now) + queue.delayed(now))
                    .isZero();
            assertThat(queue.nextVisibleAt()).isEqualTo(Long.MAX_VALUE);
            put(queue, "d");
            assertThat(bodies(receive(queue))).containsExactly("d");
        }
    }

    @Nested
    class FifoQueue {

        private final ModelQueue<TextPayload> queue = sqs.create("q.fifo", SETTINGS);

        @Test
        void deliversSeveralOfAGroupInOrderAndWithholdsTheRestWhileTheyAreInFlight() {
            putInGroup(queue, "g", "1", "2", "3");
            putInGroup(queue, "h", "x");
            List<Received<TextPayload>> first = queue.receive(new ReceiveRequest(2), now);
            assertThat(bodies(first)).containsExactly("1", "2");
            assertThat(bodies(receive(queue))).containsExactly("x");

            queue.delete(first.get(0).receiptHandle(), now);
            assertThat(receive(queue)).isEmpty();
            queue.delete(first.get(1).receiptHandle(), now);
            assertThat(bodies(receive(queue))).containsExactly("3");
        }

        @Test
        void deliversAnEarlierMessageThatIsVisibleAgainWhileALaterOneIsInFlight() {
            putInGroup(queue, "g", "1", "2", "3");
            List<Received<TextPayload>> first = queue.receive(new ReceiveRequest(2), now);
            queue.changeVisibility(first.get(0).receiptHandle(), Duration.ZERO, now);
            assertThat(bodies(receive(queue))).containsExactly("1");
            assertThat(queue.inFlight(now)).isEqualTo(2);
        }

        @Test
        void withholdsAllThatFollowsAMessageWhoseVisibilityIsExtended() {
            putInGroup(queue, "g", "1", "2", "3");
            List<Received<TextPayload>> first = queue.receive(new ReceiveRequest(2), now);
            queue.changeVisibility(first.get(0).receiptHandle(), Duration.ofSeconds(30), now);
            advance(VISIBILITY);
            assertThat(receive(queue)).isEmpty();
            assertThat(queue.visible(now)).isEqualTo(2);
            advance(Duration.ofSeconds(20));
            assertThat(bodies(receive(queue))).containsExactly("1", "2", "3");
        }

        @Test
        void refusesAnExpiredHandle() {
            putInGroup(queue, "g", "1");
            String handle = only(receive(queue)).receiptHandle();
            advance(VISIBILITY);
            assertRefused(queue.delete(handle, now), ErrorCode.RECEIPT_HANDLE_IS_INVALID);
            assertRefused(queue.changeVisibility(handle, SECOND, now), ErrorCode.RECEIPT_HANDLE_IS_INVALID);
            String newest = only(receive(queue)).receiptHandle();
            assertRefused(queue.delete(handle, now), ErrorCode.RECEIPT_HANDLE_IS_INVALID);
            assertThat(queue.delete(newest, now)).isEqualTo(Outcome.done(Deletion.DELETED));
            assertThat(queue.delete(newest, now)).isEqualTo(Outcome.done(Deletion.GONE_BEFORE));
        }

        @Test
        void dropsARepeatedDeduplicationIdInAnyGroupForFiveMinutesThoughTheMessageIsDeleted() {
            Sent sent = value(send(queue, "1", "g", "d"));
            queue.delete(only(receive(queue)).receiptHandle(), now);
            assertThat(value(send(queue, "2", "h", "d"))).isEqualTo(sent);
            assertThat(receive(queue)).isEmpty();
            advance(Duration.ofMinutes(5));
            assertThat(value(send(queue, "3", "g", "d"))).isNotEqualTo(sent);
            assertThat(seen).filteredOn(each -> each.startsWith("sent")).containsExactly("sent 1", "sent 3");
        }

        @Test
        void deduplicatesWithinTheGroupWhereSoSet() {
            queue.settings(SETTINGS.withDeduplicationPerGroup());
            Sent sent = value(send(queue, "1", "g", "d"));
            assertThat(value(send(queue, "2", "h", "d"))).isNotEqualTo(sent);
            assertThat(value(send(queue, "2", "g", "d"))).isEqualTo(sent);
        }

        @Test
        void hashesTheBodyWhereDeduplicationIsContentBased() {
            queue.settings(SETTINGS.withContentBasedDeduplication());
            queue.checkSend(List.of(new Outgoing<>(new TextPayload("1"), "g", null, null)));
            Sent first = value(send(queue, "1", "g", null));
            assertThat(value(send(queue, "1", "h", null))).isEqualTo(first);
            Sent second = value(send(queue, "2", "g", null));
            assertThat(second.sequenceNumber()).hasSize(20).isGreaterThan(String.valueOf(first.sequenceNumber()));
        }

        @Test
        void failsASendWithoutGroupOrDeduplicationId() {
            assertFails(ErrorCode.MISSING_PARAMETER, () -> queue.checkSend(List.of(out("1"))));
            Outgoing<TextPayload> without = new Outgoing<>(new TextPayload("1"), "g", null, null);
            assertFails(ErrorCode.INVALID_PARAMETER_VALUE, () -> queue.checkSend(List.of(without)));
        }

        @Test
        void refusesADelayOfAMessageAndKeepsThatOfTheQueue() {
            Outgoing<TextPayload> late = new Outgoing<>(new TextPayload("1"), "g", "1", SECOND);
            assertRefused(queue.send(late, now), ErrorCode.INVALID_PARAMETER_VALUE);
            queue.settings(SETTINGS.withDelay(SECOND));
            putInGroup(queue, "g", "1", "2");
            assertThat(receive(queue)).isEmpty();
            advance(SECOND);
            assertThat(bodies(receive(queue))).containsExactly("1", "2");
        }

        @Test
        void returnsTheSameMessagesToARepeatedReceive() {
            putInGroup(queue, "g", "1", "2");
            ReceiveRequest request = new ReceiveRequest(1, Duration.ZERO, null, "attempt");
            List<Received<TextPayload>> lost = queue.receive(request, now);
            advance(Duration.ofSeconds(9));
            assertThat(queue.receive(request, now)).isEqualTo(lost);
            advance(Duration.ofSeconds(9));
            assertThat(queue.inFlight(now)).isOne();
            queue.delete(lost.getFirst().receiptHandle(), now);
            assertThat(bodies(queue.receive(request, now))).containsExactly("2");
        }

        @Test
        void forgetsARepeatedReceiveWhoseMessagesWereChangedOrAreVisible() {
            putInGroup(queue, "g", "1", "2");
            ReceiveRequest request = new ReceiveRequest(1, Duration.ZERO, null, "attempt");
            Received<TextPayload> first = only(queue.receive(request, now));
            queue.changeVisibility(first.receiptHandle(), Duration.ofSeconds(20), now);
            assertThat(queue.receive(request, now)).isEmpty();
            advance(Duration.ofSeconds(20));
            assertThat(only(queue.receive(request, now)).receiveCount()).isEqualTo(2);
            advance(VISIBILITY);
            assertThat(only(queue.receive(request, now)).receiveCount()).isEqualTo(3);
        }

        @Test
        void letsTheGroupGoOnWhenAMessageMovesToTheDeadLetterQueue() {
            ModelQueue<TextPayload> dead = sqs.create("dead.fifo", QueueSettings.DEFAULT);
            queue.settings(SETTINGS.withRedrive("dead.fifo", 1));
            putInGroup(queue, "g", "1");
            receive(queue);
            putInGroup(queue, "g", "2");
            advance(VISIBILITY);
            assertThat(bodies(receive(queue))).containsExactly("2");
            assertThat(bodies(receive(dead))).containsExactly("1");
        }

        @Test
        void returnsNothingAtTheLimitOfMessagesInFlight() {
            queue.settings(SETTINGS.withMaxInFlight(1));
            putInGroup(queue, "g", "1");
            putInGroup(queue, "h", "2");
            assertThat(receive(queue)).hasSize(1);
            assertThat(receive(queue)).isEmpty();
        }
    }

    @Test
    void findsAndDeletesQueuesByName() {
        ModelQueue<TextPayload> queue = sqs.create("q", SETTINGS);
        assertThat(sqs.create("q", SETTINGS)).isSameAs(queue);
        assertThat(sqs.queue("q")).isSameAs(queue);
        assertFails(ErrorCode.QUEUE_NAME_EXISTS, () -> sqs.create("q", QueueSettings.DEFAULT));
        sqs.delete("q");
        assertThat(sqs.queues()).isEmpty();
        assertFails(ErrorCode.QUEUE_DOES_NOT_EXIST, () -> sqs.queue("q"));
    }

    @Test
    void failsBatchesThatBreakARule() {
        List<String> ten = IntStream.range(0, 10).mapToObj(Integer::toString).toList();
        Batches.check(ten);
        assertFails(ErrorCode.EMPTY_BATCH_REQUEST, () -> Batches.check(List.of()));
        assertFails(ErrorCode.TOO_MANY_ENTRIES_IN_BATCH_REQUEST, () -> Batches.checkSize(11));
        assertFails(ErrorCode.BATCH_ENTRY_IDS_NOT_DISTINCT, () -> Batches.check(List.of("a", "a")));
        assertFails(ErrorCode.INVALID_BATCH_ENTRY_ID, () -> Batches.check(List.of("a.b")));
        assertFails(ErrorCode.INVALID_BATCH_ENTRY_ID, () -> Batches.check(List.of("a".repeat(81))));
    }

    @Test
    void acceptsTheCharactersThatSqsDocuments() {
        for (String accepted : List.of("\t\n\r a", "\uD7FF\uE000\uFFFD", "\uD83D\uDE00")) {
            assertThat(Characters.accepted(accepted)).isTrue();
            assertThat(Characters.accepted(accepted.getBytes(UTF_8))).isTrue();
        }
        for (String refused : List.of("\u0000", "\u001F", "a\uFFFE", "\uFFFF")) {
            assertThat(Characters.accepted(refused)).isFalse();
            assertThat(Characters.accepted(refused.getBytes(UTF_8))).isFalse();
        }
        assertThat(Characters.accepted("\uD800")).isFalse();
    }

    // ---- how

    private void advance(Duration by) {
        now += by.toNanos();
    }

    private Sent put(ModelQueue<TextPayload> queue, String... bodies) {
        Sent last = new Sent("", null);
        for (String body : bodies) {
            last = value(queue.send(out(body), now));
        }
        return last;
    }

    private void putInGroup(ModelQueue<TextPayload> queue, String group, String... bodies) {
        for (String body : bodies) {
            value(send(queue, body, group, group + body));
        }
    }

    private Outcome<Sent> send(
            ModelQueue<TextPayload> queue, String body, @Nullable String group, @Nullable String deduplicationId) {
        return queue.send(new Outgoing<>(new TextPayload(body), group, deduplicationId, null), now);
    }

    private static Outgoing<TextPayload> out(String body) {
        return new Outgoing<>(new TextPayload(body));
    }

    private List<Received<TextPayload>> receive(ModelQueue<TextPayload> queue) {
        return queue.receive(new ReceiveRequest(10), now);
    }

    private static List<String> bodies(List<Received<TextPayload>> received) {
        return received.stream().map(each -> each.message().payload().body()).toList();
    }

    private static <T> T only(List<T> list) {
        assertThat(list).hasSize(1);
        return list.getFirst();
    }

    private static <T> T value(Outcome<T> outcome) {
        return switch (outcome) {
            case Done<T> done -> done.value();
            case Refused<T> refused -> throw new AssertionError(refused);
        };
    }

    private static void assertRefused(Outcome<?> outcome, ErrorCode code) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.code()).isEqualTo(code));
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SqsFailure.class, failure -> assertThat(failure.code()).isEqualTo(code));
    }

    private final class Seen implements Observer<TextPayload> {

        @Override
        public void sent(ModelQueue<TextPayload> queue, Stored<TextPayload> message) {
            seen.add("sent " + message.payload().body());
        }

        @Override
        public void received(ModelQueue<TextPayload> queue, Received<TextPayload> received) {
            seen.add("received " + received.message().payload().body() + " " + received.receiveCount());
        }

        @Override
        public void deleted(ModelQueue<TextPayload> queue, Stored<TextPayload> message) {
            seen.add("deleted " + message.payload().body());
        }

        @Override
        public void moved(
                ModelQueue<TextPayload> source, ModelQueue<TextPayload> deadLetters, Stored<TextPayload> message) {
            seen.add("moved " + message.payload().body() + " " + source.name() + " " + deadLetters.name());
        }

        @Override
        public void discarded(ModelQueue<TextPayload> queue, Stored<TextPayload> message) {
            seen.add("discarded " + message.payload().body());
        }
    }
}
