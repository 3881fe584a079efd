/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SendResults;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Faults.Rejection;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The template on a queue in memory. */
class BatchSqsTemplateTests extends TemplateFixture {

    @Test
    void sendsTextAsItIsAndOtherPayloadsAsJson() throws Exception {
        template.sendAndWait("q", "plain");
        template.sendAndWait("q", Map.of("a", 1));
        assertThat(sqs.visible(standard)).extracting(StoredMessage::body).containsExactly("plain", "{\"a\":1}");
    }

    @Test
    void returnsTheIdsOfSqs() throws Exception {
        SendResult result = template.sendAndWait(inGroup("text").build());
        StoredMessage stored = sqs.visible(fifo).getFirst();
        assertThat(result)
                .isEqualTo(new SendResult("q.fifo", stored.id(), "1888%016d".formatted(1), stored.deduplicationId()));
        assertThat(result.deduplicationId()).matches("[0-9a-f]{64}");
    }

    @Test
    void completesFuturesOnTheVirtualThreadOfTheCall() throws Exception {
        seam.close();
        AtomicReference<Thread> thread = new AtomicReference<>();
        var done = template.send("q", "text").thenRun(() -> thread.set(Thread.currentThread()));
        seam.open();
        Progress.get(done);
        assertThat(thread.get().isVirtual()).isTrue();
        assertThat(thread.get().getName()).startsWith("batchsqs-sender-q-call-");
    }

    @Test
    void sendsAllInFullBatchesHoweverShortTheLinger() throws Exception {
        BatchSqsTemplate eager = template(options -> options.linger(Duration.ZERO));
        List<Integer> payloads = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            payloads.add(i);
        }
        SendResults results = eager.sendAll("q", payloads);
        assertThat(results.failed()).isEmpty();
        assertThat(results.successful())
                .extracting(each -> each.message().payload())
                .containsExactlyElementsOf(
                        payloads.stream().map(Object.class::cast).toList());
        assertThat(seam.sizes()).hasSize(25).containsOnly(10);
    }

    @ParameterizedTest
    @CsvSource({"104857, 10, 2", "262144, 4, 5", "524288, 2, 10", "524289, 1, 20"})
    void fillsBatchesAsFarAsTheByteLimitAllows(int bytes, int perBatch, int calls) throws Exception {
        BatchSqsTemplate patient = template(options -> options.linger(Duration.ofSeconds(10)));
        SendResults results = patient.sendAll("q", Collections.nCopies(20, "x".repeat(bytes)));
        assertThat(results.failed()).isEmpty();
        assertThat(seam.sizes()).hasSize(calls).containsOnly(perBatch);
    }

    @Test
    void sendsToSeveralQueuesAtOnce() throws Exception {
        List<OutgoingMessage> messages = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            messages.add(OutgoingMessage.of("q", "s" + i));
            messages.add(inGroup("f" + i).build());
        }
        SendResults results = template.sendAll(messages);
        assertThat(results.successful()).hasSize(20);
        assertThat(seam.sizes()).containsExactly(10, 10);
    }

    @Test
    void reportsTheResultOfEachMessageOfMany() throws Exception {
        sqs.faults(Faults.refusing((call, subject) -> subject.equals("bad") ? Rejection.INVALID : null));
        SendResults results = template.sendAll(List.of(
                OutgoingMessage.of("q", "good"),
                OutgoingMessage.of("q", "bad"),
                OutgoingMessage.of("q", ""),
                OutgoingMessage.of("nowhere", "lost")));
        assertThat(results.successful())
                .extracting(each -> each.message().payload())
                .containsExactly("good");
        assertThat(results.failed())
                .extracting(each -> each.cause().code())
                .containsExactly(
                        "InvalidParameterValue",
                        SendFailedException.INVALID_MESSAGE,
                        SendFailedException.QUEUE_UNAVAILABLE);
    }

    @Test
    void explainsWhyAMessageThatWasPassedIsNotSentAgain() {
        sqs.faults(Faults.refusing((call, subject) -> subject.equals("1") ? Rejection.INTERNAL_ERROR : null));
        var first = template.send(inGroup("1").build());
        var second = template.send(inGroup("2").build());
        SendFailedException failure = failureOf(first);
        assertThat(failure.code()).isEqualTo(SendFailedException.OUT_OF_ORDER);
        assertThat(failure.retryable()).isFalse();
        assertThat(failure).hasMessageContainingAll("q.fifo", "InternalError", "would reorder the group");
        assertThat(Progress.done(second).state()).isEqualTo(Future.State.SUCCESS); // futures complete first to last
    }

    @Test
    void keepsTheDeduplicationIdOverRetries() throws Exception {
        sqs.faults(Faults.after(Operation.SEND, call -> {
            if (call.number() <= 2) {
                throw call.connectionFailed();
            }
        }));
        template.sendAndWait(inGroup("text").build());
        assertThat(sqs.calls(Operation.SEND)).isEqualTo(3);
        assertThat(sqs.visible(fifo)).hasSize(1);
        assertThat(events.retried).hasValue(2);
    }

    @Test
    void sendsManyBatchesOfATenantAtOnceOnAStandardQueue() {
        seam.close();
        List<CompletableFuture<SendResult>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(template.send(
                    OutgoingMessage.builder("q", "text").groupId("tenant").build()));
        }
        seam.awaitCalls(2);
        seam.open();
        assertThat(all).allSatisfy(each -> assertThat(Progress.done(each)).isCompleted());
    }

    @Test
    void reportsAMissingResponseAtTheDeliveryTimeout() {
        sqs.faults(Faults.after(Operation.SEND, call -> {
            clock.skip(PatientSender.options().build().deliveryTimeout());
            throw call.connectionFailed();
        }));
        SendFailedException late = failureOf(template.send("q", "text"));
        assertThat(late.code()).isEqualTo(SendFailedException.DELIVERY_TIMEOUT);
        assertThat(late.delivery()).isEqualTo(SendFailedException.Delivery.UNKNOWN);
    }

    @Test
    void carriesNoMessageForTheFirstTimeAtTheEndOfItsDeliveryTimeout() {
        seam.close();
        CompletableFuture<SendResult> carried = template.send(inGroup("first").build());
        seam.awaitCalls(1);
        CompletableFuture<SendResult> waiting = template.send(inGroup("second").build());

        clock.skip(
                PatientSender.options().build().deliveryTimeout().dividedBy(10).multipliedBy(9));

        SendFailedException late = failureOf(waiting);
        assertThat(late.code()).isEqualTo(SendFailedException.DELIVERY_TIMEOUT);
        assertThat(late.delivery()).isEqualTo(SendFailedException.Delivery.NOT_SENT);
        assertThat(late).hasMessageContaining("No call carried it in nine tenths of delivery-timeout (290s)");
        seam.open();
        assertThat(Progress.done(carried)).isCompleted();
    }

    @Test
    void doesNotRepeatACallMessageByMessageThatSqsDenies() throws Exception {
        sqs.faults(Faults.failing(Operation.SEND, call -> call.failed("AccessDenied", false)));

        assertThat(template.sendAll("q", List.of(1, 2, 3)).failed()).hasSize(3).allSatisfy(failed -> {
            assertThat(failed.cause().code()).isEqualTo("AccessDenied");
            assertThat(failed.cause().delivery()).isEqualTo(SendFailedException.Delivery.REFUSED);
            assertThat(failed.cause().attempts()).isEqualTo(1);
            assertThat(failed.cause())
                    .hasMessageContaining("was not accepted (AccessDenied)")
                    .hasCauseInstanceOf(QueueCallException.class);
        });
        assertThat(sqs.calls(Operation.SEND)).isEqualTo(1);
    }

    @Test
    void allowsACallbackToSendAndWaitAndFlush() {
        var done = template.send("q", "first").thenApply(sent -> {
            try {
                var second = template.send("q", "second");
                Progress.get(template.flush());
                template.sendAndWait("q", "third");
                return second.isDone();
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(Progress.done(done)).isCompletedWithValue(true);
    }

    @Test
    void reportsItsEvents() throws Exception {
        template.sendAll("q", List.of("a", "b", "c", ""));
        assertThat(events.log)
                .containsExactlyInAnyOrder(
                        "call 1 null", // the look-up of the queue
                        "buffered",
                        "buffered",
                        "buffered",
                        "refused InvalidMessage",
                        "sending 3 3",
                        "call 3 null",
                        "sent",
                        "sent",
                        "sent");
    }

    @Test
    void deduplicatesByContentByDefault() throws Exception {
        record Order(String id, int count) {}
        template.sendAndWait(inGroup(new Order("o", 1)).build());
        template.sendAndWait(inGroup(Map.of("count", 1.0, "id", "o")).build());
        template.sendAndWait(inGroup(new Order("o", 1))
                .groupId("other group")
                .groupId("other-group")
                .build());
        assertThat(sqs.visible(fifo)).hasSize(2);
    }

    @Test
    void deduplicatesByTheCallersOwnIdBeforeAnyStrategy() throws Exception {
        template.sendAndWait(inGroup("text").deduplicationId("own").build());
        assertThat(sqs.visible(fifo).getFirst().deduplicationId()).isEqualTo("own");
    }

    @Test
    void leavesTheDeduplicationToTheQueueOnRequest() throws Exception {
        Queue queue = sqs.createQueue("by-content.fifo", QueueSettings.DEFAULT.withContentBasedDeduplication());
        BatchSqsTemplate left = template(options -> options.deduplication(DeduplicationIds.queue()));
        left.sendAndWait(inGroup("text").queue(queue.name()).build());
        left.sendAndWait(inGroup("text").queue(queue.name()).groupId("other").build());
        assertThat(sqs.visible(queue)).hasSize(1);
        assertThat(seam.entries).extracting(SendEntry::deduplicationId).containsOnlyNulls();
    }

    @Test
    void neverDeduplicatesOnAStandardQueue() throws Exception {
        template.sendAndWait(
                OutgoingMessage.builder("q", "text").groupId("tenant").build());
        assertThat(seam.entries).extracting(SendEntry::deduplicationId).containsExactly((String) null);
        assertThat(seam.entries).extracting(SendEntry::groupId).containsExactly("tenant");
    }
}
