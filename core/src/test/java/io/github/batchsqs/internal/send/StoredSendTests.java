/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Faults.Rejection;
import io.github.batchsqs.testkit.InMemoryPayloadStore;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that an outbox stores and sends. */
class StoredSendTests extends TemplateFixture {

    private static SendEntry entry(String body, @Nullable String group) {
        return new SendEntry(body, Map.of(), null, group, group == null ? null : "id-" + body);
    }

    private static StoredMessage inGroup(int number) {
        return new StoredMessage("q.fifo", entry(String.valueOf(number), "g"), "key");
    }

    private static List<StoredMessage> inGroup(int from, int to) {
        return IntStream.range(from, to).mapToObj(StoredSendTests::inGroup).toList();
    }

    private List<CompletableFuture<SendResult>> send(List<StoredMessage> messages) {
        List<CompletableFuture<SendResult>> sent = template.sendStored("default", messages);
        Progress.until(() -> sent.stream().filter(CompletableFuture::isDone).count(), (long) messages.size());
        return sent;
    }

    private static List<String> codes(List<CompletableFuture<SendResult>> sent) {
        return sent.stream()
                .map(each -> each.isCompletedExceptionally() ? failureOf(each).code() : "sent")
                .toList();
    }

    private List<String> bodies() {
        return sqs.visible(fifo).stream().map(each -> each.body()).toList();
    }

    @Test
    void aCallbackOfAFutureThatFailsMayWaitForTheNext() {
        var second = new CompletableFuture<SendResult>();
        var first = new CompletableFuture<SendResult>();
        CompletableFuture<Boolean> waited = first.handle(
                (sent, failure) -> second.handle((result, why) -> why != null).join());

        KeptFuture.notCommitted(List.of(new KeptFuture("q", first), new KeptFuture("q", second)), false);

        assertThat(Progress.done(waited)).isCompletedWithValue(true);
    }

    @Test
    void storedMessagesAreSentAsTheyAre() {
        var attributes = Map.of("a", MessageAttribute.string("1"));
        var sent = send(List.of(
                new StoredMessage("q", new SendEntry("{\"a\":1}", attributes, null, null, null), null),
                new StoredMessage("q.fifo", entry("text", "g"), "key")));

        assertThat(codes(sent)).containsOnly("sent");
        assertThat(seam.entries)
                .containsExactlyInAnyOrder(
                        new SendEntry("{\"a\":1}", attributes, null, null, null), entry("text", "g"));
    }

    @Test
    void noneIsSentBehindOneWhoseTimeEnded() {
        lookUpFifo();
        sqs.faults(Faults.before(Operation.SEND, call -> {
            boolean late = clock.skipped.getAndSet(Duration.ofDays(1).toNanos()) > 0;
            if (!late) {
                throw call.throttled();
            }
        }));
        List<String> codes = codes(send(inGroup(0, 25)));
        assertThat(codes.subList(0, 10)).containsOnly(SendFailedException.DELIVERY_TIMEOUT);
        assertThat(codes.subList(10, 25))
                .containsAnyOf(SendFailedException.DELIVERY_TIMEOUT, Outbox.BEHIND_UNSENT)
                .doesNotContain("sent");
        assertThat(bodies()).isEmpty();
    }

    @Test
    void aMessageThatIsRefusedForItselfLetsTheOthersPass() {
        lookUpFifo();
        sqs.faults(Faults.refusing(
                (call, subject) -> subject.equals("0") || subject.equals("12") ? Rejection.INVALID : null));
        List<CompletableFuture<SendResult>> sent = send(inGroup(0, 25));
        assertThat(codes(sent))
                .filteredOn(code -> !code.equals("sent"))
                .containsExactly("InvalidParameterValue", "InvalidParameterValue");
        assertThat(Outbox.isSentAgain(failureOf(sent.getFirst()))).isFalse();
        assertThat(bodies()).hasSize(23).startsWith("1", "2");
    }

    @Test
    void aCallThatIsRefusedForOneOfItsMessagesStopsThatOneAlone() {
        lookUpFifo();
        AtomicInteger refused = new AtomicInteger();
        sqs.faults(Faults.failing(
                Operation.SEND,
                call -> call.entries() > 1 || refused.getAndIncrement() == 0
                        ? call.failed("InvalidMessageContents", false)
                        : null));
        assertThat(codes(send(inGroup(0, 3)))).containsExactly("InvalidMessageContents", "sent", "sent");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NotFromSqs",
                "Unknown",
                "ClientFailed",
                "UnreadableResponse",
                "PayloadNotStored",
                "OutOfOrder",
                "AccessDenied"
            })
    void whatIsNotTheFaultOfTheMessageIsSentAgainAndNothingOvertakesIt(String code) {
        failFirstCalls(code, 11); // enough for ten together, and for each alone

        List<CompletableFuture<SendResult>> sent = send(inGroup(0, 25));

        assertThat(codes(sent)).doesNotContain("sent");
        assertThat(sent).allMatch(each -> Outbox.isSentAgain(failureOf(each)));
        assertThat(bodies()).isEmpty();
        sqs.faults(Faults.NONE);
        assertThat(codes(send(inGroup(0, 25)))).containsOnly("sent");
        assertThat(bodies()).hasSize(25).startsWith("0", "1").endsWith("24");
    }

    private void failFirstCalls(String code, int count) {
        lookUpFifo();
        AtomicInteger calls = new AtomicInteger();
        sqs.faults(Faults.failing(
                Operation.SEND, call -> calls.getAndIncrement() < count ? call.failed(code, false) : null));
    }

    @Test
    void otherGroupsAndMessagesWithoutAnOrderDoNotWait() {
        lookUpFifo();
        sqs.faults(Faults.refusing(
                (call, subject) -> subject.startsWith("bad") ? new Rejection("KmsThrottled", false) : null));
        List<CompletableFuture<SendResult>> sent = send(List.of(
                new StoredMessage("q.fifo", entry("bad", "g"), "one"),
                new StoredMessage("q.fifo", entry("good", "h"), "two"),
                new StoredMessage("q", entry("bad", null), null),
                new StoredMessage("q", entry("good", null), null)));
        assertThat(codes(sent)).containsExactly("KmsThrottled", "sent", "KmsThrottled", "sent");
        assertThat(Outbox.isSentAgain(failureOf(sent.getFirst()))).isTrue();
    }

    @Test
    void aQueueThatIsNotFoundIsTriedAgain() {
        List<CompletableFuture<SendResult>> sent =
                send(List.of(new StoredMessage("absent", entry("text", null), null)));
        assertThat(Outbox.isSentAgain(failureOf(sent.getFirst()))).isTrue();
    }

    @Test
    void aPayloadOutsideOfSqsIsStoredAsItIsAndUploadedWhenItIsSent() {
        var store = new InMemoryPayloadStore();
        List<KeptMessage> kept = new ArrayList<>();
        SendBinding binding = new SendBinding() {
            @Override
            public boolean active() {
                return true;
            }

            @Override
            public boolean stores() {
                return true;
            }

            @Override
            public void store(KeptMessage message) {
                kept.add(message);
            }

            @Override
            public BoundMessages bound(Supplier<BoundMessages> first) {
                throw new UnsupportedOperationException();
            }
        };
        var storing = storing(binding, store);
        var future = storing.send(OutgoingMessage.builder("q.fifo", "large text")
                .groupId("g")
                .attribute("a", "1")
                .build());
        assertThat(kept).hasSize(1);
        SendEntry entry = kept.getFirst().entry();
        assertThat(entry.body()).isEqualTo("large text");
        assertThat(entry.attributes()).containsOnlyKeys("a");
        assertThat(entry.deduplicationId()).isNotEmpty();
        assertThat(kept.getFirst().fifo()).isTrue();

        assertThat(storing.bufferedBytes()).isZero();
        assertThat(store.objects).isEmpty();

        var sent = storing.sendStored("default", List.of(new StoredMessage("q.fifo", entry, "key")));
        assertThat(Progress.done(sent.getFirst())).isCompleted();
        assertThat(store.objects).containsValue("large text");
        assertThat(future).isNotDone();
        kept.getFirst().future().future().complete(sent.getFirst().join());
        assertThat(future).isCompleted();
    }

    /** The refusal of the store is not the message's, so the outbox sends it again. */
    @Test
    void noneIsSentBehindOneWhoseUploadIsRefused() {
        var store = new InMemoryPayloadStore();
        store.uploads(body -> InMemoryPayloadStore.unreadable());
        var sending = storing(SendBinding.NONE, store);

        List<StoredMessage> messages = List.of(
                new StoredMessage("q.fifo", entry("large", "g"), "key"),
                new StoredMessage("q.fifo", entry("small", "g"), "key"),
                new StoredMessage("q.fifo", entry("other", "h"), "other"));
        List<CompletableFuture<SendResult>> sent = sending.sendStored("default", messages);

        Progress.until(() -> sent.stream().filter(CompletableFuture::isDone).count(), 3L);
        assertThat(codes(sent).getFirst()).isEqualTo(SendFailedException.PAYLOAD_NOT_STORED);
        assertThat(codes(sent).get(1)).isNotEqualTo("sent");
        assertThat(Outbox.isSentAgain(failureOf(sent.get(1)))).isTrue();
        assertThat(bodies()).containsExactly("other");
    }

    @Test
    void aFutureThatNoLongerWaitsNamesTheOutbox() {
        var future = new CompletableFuture<SendResult>();
        KeptFuture.inOutbox(List.of(new KeptFuture("q.fifo", future)), "it stays in the outbox");
        SendFailedException failure = failureOf(future);
        assertThat(failure)
                .hasMessage(
                        "The message to queue 'q.fifo' may have been accepted, which is not known (InOutbox): it stays in"
                                + " the outbox");
        assertThat(failure.retryable()).isFalse();
        assertThat(failure.delivery()).isEqualTo(SendFailedException.Delivery.UNKNOWN);
    }

    private void lookUpFifo() {
        List<CompletableFuture<SendResult>> found = new ArrayList<>();
        Progress.until(
                () -> {
                    found.add(template.send(OutgoingMessage.of("q.fifo", "no group")));
                    return failureOf(found.getLast()).code();
                },
                SendFailedException.INVALID_MESSAGE);
    }
}
