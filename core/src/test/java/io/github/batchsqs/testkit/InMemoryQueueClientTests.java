/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.EntryResult.Accepted;
import io.github.batchsqs.client.EntryResult.Rejected;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.Faults.Call;
import io.github.batchsqs.testkit.Faults.Rejection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InMemoryQueueClientTests {

    private final SettableTime time = new SettableTime();
    private final InMemoryQueueClient sqs = new InMemoryQueueClient(time);

    @Nested
    class StandardQueue {

        private final Queue queue =
                sqs.createQueue("q", QueueSettings.DEFAULT.withVisibilityTimeout(Duration.ofSeconds(10)));

        @Test
        void deletesByTheNewestHandleOnlyButAnswersSuccessToAnOlderOne() throws Exception {
            String id = sqs.put(queue, "a").getFirst();
            String old = only(receive(queue)).receiptHandle();
            time.advance(Duration.ofSeconds(10));
            String newest = only(receive(queue)).receiptHandle();

            assertThat(only(sqs.delete(queue, List.of(old)))).isInstanceOf(Accepted.class);
            assertThat(sqs.inFlight(queue)).hasSize(1);
            assertThat(only(sqs.delete(queue, List.of(newest)))).isInstanceOf(Accepted.class);
            sqs.assertDrained(queue);
            assertThat(only(sqs.delete(queue, List.of(newest)))).isInstanceOf(Accepted.class);
            assertThat(sqs.deleted(queue)).containsExactly(Map.entry(id, 3));
        }

        @Test
        void countsAVisibilityChangeFromTheCallInWholeSecondsRoundedUp() throws Exception {
            sqs.put(queue, "a");
            String handle = only(receive(queue)).receiptHandle();
            time.advance(Duration.ofSeconds(9));
            assertThat(only(change(queue, handle, Duration.ofMillis(1_500)))).isInstanceOf(Accepted.class);
            time.advance(Duration.ofMillis(1_999));
            assertThat(receive(queue)).isEmpty();
            time.advance(Duration.ofMillis(1));
            assertThat(receive(queue)).hasSize(1);
        }

        @Test
        void movesAMessageToTheDeadLetterQueueOnAFurtherReceive() throws Exception {
            Queue dead = sqs.createQueue("dead");
            Queue source = sqs.createQueue("source", QueueSettings.DEFAULT.withRedrive("dead", 2));
            String id = sqs.put(source, "a").getFirst();
            receive(source);
            time.advance(Duration.ofSeconds(30));
            String last = only(receive(source)).receiptHandle();
            time.advance(Duration.ofSeconds(30));
            assertThat(sqs.deadLetters(source)).isEmpty();

            assertThat(receive(source)).isEmpty();

            assertThat(sqs.deadLetters(source)).extracting(StoredMessage::id).containsExactly(id);
            sqs.assertDrained(source);
            sqs.assertNothingLost();
            sqs.delete(source, List.of(last));
            assertThat(only(receive(dead)).systemAttributes()).containsKey("DeadLetterQueueSourceArn");
        }

        @Test
        void countsAttributesTowardsTheSizeOfASend() {
            SendEntry entry = new SendEntry(
                    "a".repeat(1_048_570), Map.of("k", MessageAttribute.string("v")), null, null, null, null);
            assertFails("BatchRequestTooLong", () -> sqs.send(queue, List.of(entry)));
        }

        @Test
        void refusesAnEntryThatIsLargerThanTheQueueAllowsOrHoldsForbiddenCharacters() throws Exception {
            Queue small = sqs.createQueue("small", QueueSettings.DEFAULT.withMaximumMessageSize(1024));
            List<EntryResult<SentMessage>> results =
                    sqs.send(small, List.of(entry("x".repeat(1025)), entry("\u0001"), entry("fine \uD83D\uDE00")));
            assertRejected(results.get(0), "InvalidParameterValue", false);
            assertRejected(results.get(1), "InvalidMessageContents", false);
            assertThat(results.get(2)).isInstanceOf(Accepted.class);
            assertThat(sqs.visible(small)).extracting(StoredMessage::body).containsExactly("fine \uD83D\uDE00");
        }

        @Test
        void failsACallWithNoEntriesOrMoreThanTen() {
            assertFails("EmptyBatchRequest", () -> sqs.delete(queue, List.of()));
            assertFails("TooManyEntriesInBatchRequest", () -> sqs.delete(queue, Collections.nCopies(11, "h")));
            assertThatThrownBy(sqs::assertNoMisuse).hasMessageContaining("You have sent 11");
        }

        @Test
        void deliversNoMoreThanMayBeInFlight() throws Exception {
            Queue narrow = sqs.createQueue("narrow", QueueSettings.DEFAULT.withMaxInFlight(1));
            sqs.put(narrow, "a", "b");
            assertThat(sqs.receive(new ReceiveCall(narrow, 1, Duration.ZERO, null, null)))
                    .hasSize(1);
            assertThat(receive(narrow)).isEmpty();
            assertFails("OverLimit", () -> sqs.receive(new ReceiveCall(narrow, 1, Duration.ZERO, null, null)));
        }
    }

    @Nested
    class FifoQueue {

        private final Queue queue = sqs.createQueue("q.fifo");

        @Test
        void hashesTheBodyWhereDeduplicationIsContentBased() throws Exception {
            Queue hashing = sqs.createQueue("hashing.fifo", QueueSettings.DEFAULT.withContentBasedDeduplication());
            assertThat(send(hashing, "1", "g", null)).isEqualTo(send(hashing, "1", "h", null));
            assertThat(send(hashing, "2", "g", null).sequenceNumber()).isEqualTo("18880000000000000002");
        }

        @Test
        void failsASendWithoutGroupOrDeduplicationId() {
            assertFails("MissingParameter", () -> sqs.send(queue, List.of(entry("1"))));
            assertFails("InvalidParameterValue", () -> send(queue, "1", "g", null));
        }
    }

    @Nested
    class FaultsOnDemand {

        private final Queue queue = sqs.createQueue("q");

        @Test
        void failBeforeTheServerActed() throws Exception {
            sqs.put(queue, "a");
            sqs.faults(new Faults() {
                @Override
                public void before(Call call) {
                    if (call.number() == 1) {
                        throw call.throttled();
                    }
                }
            });
            assertFails("RequestThrottled", () -> receive(queue));
            assertThat(receive(queue)).hasSize(1);
            assertThat(sqs.calls(Operation.RECEIVE)).isEqualTo(2);
            assertThat(sqs.entries(Operation.RECEIVE)).isEqualTo(1);
        }

        @Test
        void dropTheAnswerAfterTheServerActed() throws Exception {
            sqs.put(queue, "a");
            sqs.faults(new Faults() {
                @Override
                public void after(Call call) {
                    throw call.connectionFailed();
                }
            });
            assertFails("ConnectionFailed", () -> receive(queue));
            assertThat(sqs.inFlight(queue)).hasSize(1);
        }

        @Test
        void refuseSingleEntriesWithTheActDoneOrNot() throws Exception {
            sqs.put(queue, "a", "b", "c");
            List<String> handles = new ArrayList<>();
            receive(queue).forEach(message -> handles.add(message.receiptHandle()));
            sqs.faults(new Faults() {
                @Override
                public @Nullable Rejection reject(Call call, int index, String subject) {
                    return switch (index) {
                        case 0 -> Rejection.INTERNAL_ERROR;
                        case 1 -> Rejection.MISSING_IN_ANSWER;
                        default -> null;
                    };
                }
            });
            List<EntryResult<Void>> results = sqs.delete(queue, handles);
            assertRejected(results.get(0), "InternalError", true);
            assertRejected(results.get(1), "MissingInResponse", true);
            assertThat(results.get(2)).isInstanceOf(Accepted.class);
            assertThat(sqs.inFlight(queue)).extracting(StoredMessage::body).containsExactly("a");
        }

        @Test
        void deliverAMessageInFlightOnceMore() throws Exception {
            String id = sqs.put(queue, "a").getFirst();
            receive(queue);
            sqs.faults(new Faults() {
                @Override
                public boolean deliverAgain(Call call, String messageId) {
                    return messageId.equals(id);
                }
            });
            assertThat(only(receive(queue)).receiveCount()).isEqualTo(2);
            assertThat(sqs.delivered(queue)).containsExactly(id, id);
        }

        @Test
        void deliverAMessageTwiceInOneReceive() throws Exception {
            sqs.put(queue, "a");
            sqs.faults(new Faults() {
                @Override
                public boolean deliverTwice(Call call, String messageId) {
                    return true;
                }
            });
            List<ReceivedMessage> twice = receive(queue);
            assertThat(twice).extracting(ReceivedMessage::body).containsExactly("a", "a");
            assertThat(twice.get(0).receiptHandle()).isNotEqualTo(twice.get(1).receiptHandle());
        }
    }

    @Nested
    class LongPolling {

        private final Queue queue = sqs.createQueue("q");

        @Test
        void endsWhenAMessageIsSentOrTheWaitPassed() throws Exception {
            sqs.longPolling(true);
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<List<ReceivedMessage>> poll = threads.submit(() -> receive(queue));
                sqs.send(queue, List.of(entry("a")));
                List<ReceivedMessage> received = Progress.get(poll);
                sqs.delete(queue, List.of(only(received).receiptHandle()));

                Future<List<ReceivedMessage>> empty = threads.submit(
                        () -> sqs.receive(new ReceiveCall(queue, 10, Duration.ofSeconds(1), null, null)));
                while (!empty.isDone()) {
                    time.advance(Duration.ofSeconds(1));
                    Thread.onSpinWait();
                }
                assertThat(empty.get()).isEmpty();
            }
        }

        @Test
        void endsWithTheInterrupt() {
            sqs.longPolling(true);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> receive(queue)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    void findsQueuesByNameUrlAndArn() throws Exception {
        Queue queue = sqs.createQueue("q", QueueSettings.DEFAULT.withRedrive("dead", 3));
        assertThat(sqs.resolve("q")).isEqualTo(queue);
        assertThat(sqs.resolve(queue.url())).isEqualTo(queue);
        assertThat(sqs.resolve("arn:aws:sqs:us-east-1:000000000000:q")).isEqualTo(queue);
        assertThat(sqs.create("q")).isEqualTo(queue);
        assertThat(sqs.create("new.fifo").fifo()).isTrue();
        assertThat(sqs.attributes(queue).visibilityTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(sqs.attributes(queue).redrive()).isNotNull();
        assertThatThrownBy(() -> sqs.resolve("nowhere")).isInstanceOf(QueueNotFoundException.class);
    }

    @Test
    void failsCallsToAQueueThatWasDeleted() {
        Queue queue = sqs.createQueue("q");
        sqs.deleteQueue(queue);
        assertFails("QueueDoesNotExist", () -> receive(queue));
    }

    private List<ReceivedMessage> receive(Queue queue) throws InterruptedException {
        return sqs.receive(new ReceiveCall(queue, 10, Duration.ofSeconds(20), null, null));
    }

    private List<EntryResult<Void>> change(Queue queue, String handle, Duration timeout) throws InterruptedException {
        return sqs.changeVisibility(queue, List.of(new VisibilityChange(handle, timeout)));
    }

    private SentMessage send(Queue queue, String body, String group, @Nullable String deduplicationId)
            throws InterruptedException {
        SendEntry entry = new SendEntry(body, Map.of(), null, null, group, deduplicationId);
        return switch (only(sqs.send(queue, List.of(entry)))) {
            case Accepted<SentMessage> accepted -> accepted.value();
            case Rejected<SentMessage> rejected -> throw new AssertionError(rejected);
        };
    }

    private static SendEntry entry(String body) {
        return new SendEntry(body, Map.of(), null, null, null, null);
    }

    private static <T> T only(List<T> list) {
        assertThat(list).hasSize(1);
        return list.getFirst();
    }

    private static void assertRejected(EntryResult<?> result, String code, boolean retryable) {
        assertThat(result).isInstanceOfSatisfying(Rejected.class, rejected -> {
            assertThat(rejected.code()).isEqualTo(code);
            assertThat(rejected.retryable()).isEqualTo(retryable);
        });
    }

    private static void assertFails(String code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        QueueCallException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
