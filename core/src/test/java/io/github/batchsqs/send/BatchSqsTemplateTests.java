/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.TimeSource;
import io.github.batchsqs.batch.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.events.SenderEvents;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.QueueSettings;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The template on a queue in memory. */
@Timeout(30)
class BatchSqsTemplateTests {

    private final InMemoryQueueClient sqs = new InMemoryQueueClient(TimeSource.system());
    private final Queue standard = sqs.createQueue("q");
    private final Queue fifo = sqs.createQueue("q.fifo");
    private final Gate seam = new Gate();
    private final Recorded events = new Recorded();
    private final List<BatchSqsTemplate> templates = new ArrayList<>();
    private final BatchSqsTemplate template = template(options -> options);

    @AfterEach
    void close() {
        seam.open();
        templates.forEach(BatchSqsTemplate::close);
        sqs.assertNoMisuse();
    }

    @Test
    void sendsTextAsItIsAndOtherPayloadsAsJson() throws Exception {
        template.sendAndWait("q", "plain");
        template.sendAndWait("q", Map.of("a", 1));
        assertThat(sqs.visible(standard)).extracting(StoredMessage::body).containsExactly("plain", "{\"a\":1}");
    }

    @Test
    void tellsWhatSqsAnswered() throws Exception {
        SendResult result = template.sendAndWait(inGroup("text").build());
        StoredMessage stored = sqs.visible(fifo).getFirst();
        assertThat(result)
                .isEqualTo(new SendResult("q.fifo", stored.id(), "%020d".formatted(1), stored.deduplicationId()));
        assertThat(result.deduplicationId()).matches("[0-9a-f]{64}");
    }

    @Test
    void completesFuturesOnTheVirtualThreadOfTheCall() throws Exception {
        seam.close();
        AtomicReference<Thread> thread = new AtomicReference<>();
        var done = template.send("q", "text").thenRun(() -> thread.set(Thread.currentThread()));
        seam.open();
        done.get(10, TimeUnit.SECONDS);
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
        assertThat(results.allSuccessful()).isTrue();
        assertThat(results.successful())
                .extracting(each -> each.message().payload())
                .containsExactlyElementsOf(
                        payloads.stream().map(Object.class::cast).toList());
        assertThat(seam.sizes()).hasSize(25).containsOnly(10);
    }

    @ParameterizedTest
    @CsvSource({"1048576, 10, 100", "262144, 10, 100", "104857, 4, 250", "26000, 1, 1000"})
    void fillsBatchesAsFarAsTheByteLimitAllows(long limit, int perBatch, int calls) throws Exception {
        BatchSqsTemplate limited =
                template(options -> options.maxBatchBytes(limit).linger(Duration.ofMillis(500)));
        SendResults results = limited.sendAll("q", Collections.nCopies(1_000, "x".repeat(26_000)));
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
    void saysForEachMessageOfManyWhatBecameOfIt() throws Exception {
        sqs.faults(new Faults() {
            @Override
            public @Nullable Rejection reject(Call call, int index, String subject) {
                return subject.equals("bad") ? Rejection.INVALID : null;
            }
        });
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
        assertThat(results.retriable()).isEmpty();
    }

    @Test
    void failsAllMessagesOfACallWithItsCode() {
        sqs.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.SEND) {
                    throw call.failed("AccessDenied", false);
                }
            }
        });
        SendFailedException failure = failureOf(template.send("q", "text"));
        assertThat(failure.code()).isEqualTo("AccessDenied");
        assertThat(failure.attempts()).isEqualTo(1);
        assertThat(failure.retryable()).isFalse();
        assertThat(failure).hasCauseInstanceOf(QueueCallException.class);
    }

    @Test
    void explainsWhyAMessageThatWasPassedIsNotSentAgain() {
        sqs.faults(new Faults() {
            @Override
            public @Nullable Rejection reject(Call call, int index, String subject) {
                return subject.equals("1") ? Rejection.INTERNAL_ERROR : null;
            }
        });
        var first = template.send(inGroup("1").build());
        var second = template.send(inGroup("2").build());
        SendFailedException failure = failureOf(first);
        assertThat(failure.code()).isEqualTo(SendFailedException.OUT_OF_ORDER);
        assertThat(failure.retryable()).isFalse();
        assertThat(failure)
                .hasMessageContaining("q.fifo")
                .hasMessageContaining("InternalError")
                .hasMessageContaining("would reorder the group");
        assertThat(second).isCompleted();
    }

    @Test
    void keepsTheDeduplicationIdOverRetries() throws Exception {
        sqs.faults(new Faults() {
            @Override
            public void after(Call call) {
                if (call.operation() == Operation.SEND && call.number() <= 2) {
                    throw call.connectionFailed();
                }
            }
        });
        template.sendAndWait(inGroup("text").build());
        assertThat(sqs.calls(Operation.SEND)).isEqualTo(3);
        assertThat(sqs.visible(fifo)).hasSize(1);
        assertThat(events.retried).hasValue(2);
    }

    @Nested
    class Refuses {

        @Test
        void aMessageOverTheLimitAloneAndAtOnce() {
            BatchSqsTemplate small = template(options -> options.maxBatchBytes(2_000));
            assertInvalid(small.send("q", "x".repeat(2_001)), "2001 bytes", "max-batch-bytes is 2000");
            OutgoingMessage message = OutgoingMessage.builder("q", "x".repeat(1_980))
                    .attribute("name", "v".repeat(20))
                    .build();
            assertInvalid(small.send(message), "2010 bytes");
            assertInvalid(small.send("q", "ä".repeat(1_001)), "2002 bytes");
            assertThat(seam.sizes()).isEmpty();
        }

        @Test
        void anEmptyBody() {
            assertInvalid(template.send("q", ""), "empty");
        }

        @Test
        void aMissingGroupOnAFifoQueue() {
            assertInvalid(template.send("q.fifo", "text"), "group id");
        }

        @Test
        void aDelayOnAFifoQueue() {
            assertInvalid(template.send(inGroup("text").delay(Duration.ZERO).build()), "no delay per message");
        }

        @Test
        void aDelayBeyondFifteenMinutes() {
            var message = OutgoingMessage.builder("q", "text");
            assertInvalid(template.send(message.delay(Duration.ofSeconds(901)).build()), "901s");
            assertInvalid(template.send(message.delay(Duration.ofSeconds(-1)).build()), "-1s");
        }

        @Test
        void moreThanTenAttributes() {
            var message = OutgoingMessage.builder("q", "text");
            for (int i = 0; i < 11; i++) {
                message.attribute("a" + i, i);
            }
            assertInvalid(template.send(message.build()), "11 attributes");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", ".a", "a.", "a..b", "AWS.a", "amazon.a", "a b", "ä"})
        void attributeNamesThatSqsRefuses(String name) {
            assertInvalid(
                    template.send(OutgoingMessage.builder("q", "text")
                            .attribute(name, "value")
                            .build()),
                    "must have a name");
        }

        @Test
        void attributesWithoutAValue() {
            var message = OutgoingMessage.builder("q", "text");
            assertInvalid(template.send(message.attribute("a", "").build()), "'a' has no value");
            assertInvalid(template.send(message.attribute("a", new byte[0]).build()), "'a' has no value");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "with space", "ümlaut"})
        void idsThatSqsRefuses(String id) {
            assertInvalid(
                    template.send(
                            OutgoingMessage.builder("q", "text").groupId(id).build()),
                    "group id");
            assertInvalid(template.send(inGroup("text").deduplicationId(id).build()), "deduplication id");
        }

        @Test
        void idsOfMoreThan128Characters() {
            assertInvalid(
                    template.send(OutgoingMessage.builder("q", "text")
                            .groupId("x".repeat(129))
                            .build()),
                    "129");
            assertThat(template.send(
                            inGroup("text").deduplicationId("x".repeat(128)).build()))
                    .succeedsWithin(Duration.ofSeconds(10));
        }

        @Test
        void aDeduplicationIdOnAStandardQueue() {
            assertInvalid(
                    template.send(OutgoingMessage.builder("q", "text")
                            .deduplicationId("id")
                            .build()),
                    "only for FIFO");
        }

        @Test
        void aDeduplicationKeyThatIsMissingOrBroken() {
            BatchSqsTemplate keyed = template(options -> options.deduplication(
                    DeduplicationIds.key(message -> message.payload().equals("none") ? null : "not allowed")));
            assertInvalid(keyed.send(inGroup("none").build()), "null");
            assertInvalid(keyed.send(inGroup("text").build()), "deduplication id");
        }

        @Test
        void aPayloadThatCannotBeWritten() {
            SendFailedException failure = failureOf(template.send("q", new byte[] {(byte) 0xff}));
            assertThat(failure.code()).isEqualTo(SendFailedException.CONVERSION_FAILED);
            assertThat(failure).hasCauseInstanceOf(ConversionException.class);
        }

        private void assertInvalid(CompletableFuture<SendResult> future, String... parts) {
            assertThat(future).isCompletedExceptionally();
            SendFailedException failure = failureOf(future);
            assertThat(failure.code()).isEqualTo(SendFailedException.INVALID_MESSAGE);
            assertThat(failure.retryable()).isFalse();
            assertThat(failure.attempts()).isZero();
            assertThat(failure).hasMessageContainingAll(parts);
        }
    }

    @Nested
    class DeduplicatesOnFifo {

        @Test
        void byContentUnlessSaidOtherwise() throws Exception {
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
        void byTheCallersOwnIdBeforeAnyStrategy() throws Exception {
            template.sendAndWait(inGroup("text").deduplicationId("own").build());
            assertThat(sqs.visible(fifo).getFirst().deduplicationId()).isEqualTo("own");
        }

        @Test
        void byTheQueueWhenItIsLeftToIt() throws Exception {
            Queue queue = sqs.createQueue("by-content.fifo", QueueSettings.DEFAULT.withContentBasedDeduplication());
            BatchSqsTemplate left = template(options -> options.deduplication(DeduplicationIds.queue()));
            left.sendAndWait(inGroup("text").queue(queue.name()).build());
            left.sendAndWait(
                    inGroup("text").queue(queue.name()).groupId("other").build());
            assertThat(sqs.visible(queue)).hasSize(1);
            assertThat(seam.entries).extracting(SendEntry::deduplicationId).containsOnlyNulls();
        }

        @Test
        void neverOnAStandardQueue() throws Exception {
            template.sendAndWait(
                    OutgoingMessage.builder("q", "text").groupId("tenant").build());
            assertThat(seam.entries).extracting(SendEntry::deduplicationId).containsExactly((String) null);
            assertThat(seam.entries).extracting(SendEntry::groupId).containsExactly("tenant");
        }
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
        assertThat(all).allSatisfy(each -> assertThat(each).succeedsWithin(Duration.ofSeconds(10)));
    }

    @Nested
    class Buffers {

        @Test
        void asMuchAsItMayAndThenNamesTheSettings() {
            seam.close();
            BatchSqsTemplate tight = template(options ->
                    options.maxBatchBytes(1_024).buffer(new SenderOptions.Buffer(2_048, Duration.ofMillis(1))));
            var first = tight.send("q", "x".repeat(1_000));
            var second = tight.send("q", "x".repeat(1_000));
            assertThat(first).isNotDone();
            SendFailedException failure = failureOf(second);
            assertThat(failure.code()).isEqualTo(SendFailedException.BUFFER_FULL);
            assertThat(failure.retryable()).isTrue();
            assertThat(failure).hasMessageContaining("buffer-bytes: 2048").hasMessageContaining("max-block");
            seam.open();
            assertThat(first).succeedsWithin(Duration.ofSeconds(10));
            assertThat(tight.bufferedBytes()).isZero();
        }

        @Test
        void nextMessageAsSoonAsThereIsRoom() throws Exception {
            seam.close();
            BatchSqsTemplate tight = template(options ->
                    options.maxBatchBytes(1_024).buffer(new SenderOptions.Buffer(2_048, Duration.ofSeconds(20))));
            var first = tight.send("q", "x".repeat(1_000));
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<SendResult> second =
                        threads.submit((Callable<SendResult>) () -> tight.sendAndWait("q", "x".repeat(1_000)));
                assertThat(second.isDone()).isFalse();
                seam.open();
                assertThat(second).succeedsWithin(Duration.ofSeconds(10));
            }
            assertThat(first).isCompleted();
        }

        @Test
        void moreThanItHoldsWhenAllAreSentAtOnce() throws Exception {
            BatchSqsTemplate tight = template(options ->
                    options.maxBatchBytes(1_024).buffer(new SenderOptions.Buffer(4_096, Duration.ofSeconds(20))));
            List<String> bodies = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                bodies.add("x".repeat(900) + i);
            }
            assertThat(tight.sendAll("q", bodies).failed()).isEmpty();
            assertThat(tight.bufferedBytes()).isZero();
        }

        @Test
        void nothingThatTheCallerGaveUp() throws Exception {
            seam.close();
            var timedOut = template.send("q", "text").orTimeout(1, TimeUnit.MILLISECONDS);
            assertThatThrownBy(timedOut::get).isInstanceOf(ExecutionException.class);
            var cancelled = template.send("q", "text");
            assertThat(cancelled.cancel(true)).isTrue();
            assertThat(template.bufferedBytes()).isPositive();
            seam.open();
            template.flush().get(10, TimeUnit.SECONDS);
            assertThat(template.bufferedBytes()).isZero();
            assertThat(sqs.visible(standard)).hasSize(2);
        }

        @Test
        void noMessageOfAnInterruptedThread() {
            seam.close();
            BatchSqsTemplate tight = template(options ->
                    options.maxBatchBytes(1_024).buffer(new SenderOptions.Buffer(1_024, Duration.ofSeconds(20))));
            var first = tight.send("q", "x".repeat(1_000));
            Thread.currentThread().interrupt();
            var second = tight.send("q", "x".repeat(1_000));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(failureOf(second).code()).isEqualTo(SendFailedException.INTERRUPTED);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> tight.sendAndWait("q", "text")).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> tight.sendAll("q", List.of("text"))).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
            seam.open();
            assertThat(first).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    @Nested
    class Resolves {

        @Test
        void aQueueOnce() throws Exception {
            for (int i = 0; i < 3; i++) {
                template.sendAndWait("q", "text");
            }
            assertThat(sqs.calls(Operation.RESOLVE)).isEqualTo(1);
        }

        @Test
        void aQueueThatWasNotFoundAgain() throws Exception {
            SendFailedException failure = failureOf(template.send("new", "text"));
            assertThat(failure.code()).isEqualTo(SendFailedException.QUEUE_UNAVAILABLE);
            assertThat(failure.retryable()).isFalse();
            assertThat(failure).hasCauseInstanceOf(QueueNotFoundException.class);
            Queue created = sqs.createQueue("new");
            template.sendAndWait("new", "text");
            assertThat(sqs.visible(created)).hasSize(1);
        }

        @Test
        void aQueueToOneSenderHoweverItIsNamed() {
            seam.close();
            List<CompletableFuture<SendResult>> all = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                String reference = i % 2 == 0 ? "q" : standard.url();
                all.add(template.send(reference, "text"));
            }
            seam.open();
            assertThat(all).allSatisfy(each -> assertThat(each).succeedsWithin(Duration.ofSeconds(10)));
            assertThat(seam.sizes()).containsExactly(10);
        }

        @Test
        void aQueueOnceForManyThreadsWithoutHoldingUpOtherQueues() throws Exception {
            CountDownLatch asked = new CountDownLatch(1);
            CountDownLatch answer = new CountDownLatch(1);
            template.sendAndWait(inGroup("known").build());
            sqs.faults(new Faults() {
                @Override
                public void before(Call call) throws InterruptedException {
                    if (call.operation() == Operation.RESOLVE) {
                        asked.countDown();
                        answer.await();
                    }
                }
            });
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<SendResult>> all = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    all.add(threads.submit((Callable<SendResult>) () -> template.sendAndWait("q", "text")));
                }
                asked.await();
                template.sendAndWait(inGroup("other").build());
                answer.countDown();
                for (Future<SendResult> each : all) {
                    assertThat(each.get().queue()).isEqualTo("q");
                }
            }
            assertThat(sqs.calls(Operation.RESOLVE)).isEqualTo(2);
        }
    }

    @Nested
    class BoundToSomethingOfTheThread {

        private final List<Runnable> sends = new ArrayList<>();
        private final List<Runnable> abandons = new ArrayList<>();
        private boolean active = true;
        private final BatchSqsTemplate bound =
                new BatchSqsTemplate(SenderOptions.defaults(), resources(sqs, new SendBinding() {
                    @Override
                    public boolean active() {
                        return active;
                    }

                    @Override
                    public void bind(Runnable send, Runnable abandon) {
                        sends.add(send);
                        abandons.add(abandon);
                    }
                }));

        @AfterEach
        void closeBound() {
            bound.close();
        }

        @Test
        void messagesAreCheckedAtOnceAndSentInOrderOnSuccess() throws Exception {
            var first = bound.send(inGroup("1").build());
            var second = bound.send(inGroup("2").build());
            assertThat(bound.send("q.fifo", "no group")).isCompletedExceptionally();
            bound.flush().get(10, TimeUnit.SECONDS);
            assertThat(sqs.visible(fifo)).isEmpty();

            sends.forEach(Runnable::run);
            CompletableFuture.allOf(first, second).get(10, TimeUnit.SECONDS);
            assertThat(sqs.visible(fifo)).extracting(StoredMessage::body).containsExactly("1", "2");
            assertThat(sends).hasSize(2);
        }

        @Test
        void messagesAreNotSentOnFailure() {
            var promise = bound.send("q", "text");
            abandons.forEach(Runnable::run);
            assertThat(promise)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(
                            SendFailedException.class,
                            failure -> assertThat(failure.code()).isEqualTo(SendFailedException.NOT_COMMITTED));
            assertThat(sqs.visible(standard)).isEmpty();
            assertThat(bound.bufferedBytes()).isZero();
        }

        @Test
        void messagesFailIfTheTemplateWasClosedMeanwhile() {
            var promise = bound.send("q", "text");
            bound.close();
            sends.forEach(Runnable::run);
            assertThat(promise)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withMessageContaining(SendFailedException.CLOSED);
        }

        @Test
        void sendingAndWaitingIsRefused() throws Exception {
            assertThatThrownBy(() -> bound.sendAndWait("q", "text")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> bound.sendAll("q", List.of("text"))).isInstanceOf(IllegalStateException.class);
            active = false;
            bound.sendAndWait("q", "text");
            assertThat(sqs.visible(standard)).hasSize(1);
        }
    }

    @Test
    void flushesWhatLingers() throws Exception {
        BatchSqsTemplate slow = template(options -> options.linger(Duration.ofSeconds(10)));
        var future = slow.send("q", "text");
        assertThat(future).isNotDone();
        slow.flush().get(5, TimeUnit.SECONDS);
        assertThat(future).isCompleted();
    }

    @Test
    void sendsWhatIsBufferedWhenItCloses() {
        BatchSqsTemplate slow = template(options -> options.linger(Duration.ofSeconds(10)));
        var future = slow.send("q", "text");
        slow.close();
        assertThat(future).isCompleted();
        assertThat(failureOf(slow.send("q", "text")).code()).isEqualTo(SendFailedException.CLOSED);
        assertThat(failureOf(slow.send("never-used", "text")).code()).isEqualTo(SendFailedException.CLOSED);
        slow.close();
    }

    @Test
    void failsWhatIsNotSentInTimeWhenItCloses() {
        seam.close();
        var future = template.send("q", "text");
        template.close(Duration.ofMillis(1));
        SendFailedException failure = failureOf(future);
        assertThat(failure.code()).isEqualTo(SendFailedException.CLOSED);
        assertThat(failure.retryable()).isTrue();
        assertThat(template.bufferedBytes()).isZero();
    }

    @Test
    void refusesAThreadThatWaitsForRoomWhenItCloses() throws Exception {
        seam.close();
        BatchSqsTemplate tight = template(options ->
                options.maxBatchBytes(1_024).buffer(new SenderOptions.Buffer(1_024, Duration.ofSeconds(20))));
        var first = tight.send("q", "x".repeat(1_000));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<SendResult> second =
                    threads.submit((Callable<SendResult>) () -> tight.sendAndWait("q", "x".repeat(1_000)));
            tight.close(Duration.ofMillis(50));
            assertThat(failureOf(second).code()).isEqualTo(SendFailedException.CLOSED);
        }
        assertThat(failureOf(first).code()).isEqualTo(SendFailedException.CLOSED);
    }

    @Test
    void tellsItsEvents() throws Exception {
        template.sendAll("q", List.of("a", "b", "c", ""));
        assertThat(events.log)
                .containsExactlyInAnyOrder(
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

    private OutgoingMessage.Builder inGroup(Object payload) {
        return OutgoingMessage.builder("q.fifo", payload).groupId("g");
    }

    private BatchSqsTemplate template(UnaryOperator<SenderOptions.Builder> change) {
        BatchSqsTemplate made =
                new BatchSqsTemplate(change.apply(SenderOptions.builder()).build(), resources(seam, SendBinding.NONE));
        templates.add(made);
        return made;
    }

    private SenderResources resources(QueueClient client, SendBinding binding) {
        return new SenderResources(
                client,
                sqs,
                new JacksonPayloadCodec(JsonMapper.shared()),
                queue -> events,
                SendObserver.NONE,
                binding,
                TimeSource.system());
    }

    private static SendFailedException failureOf(Future<SendResult> future) {
        try {
            throw new AssertionError("Was sent: " + future.get(20, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SendFailedException failure) {
                return failure;
            }
            throw new AssertionError(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** Lets calls through while it is open, and remembers what they carried. */
    private final class Gate extends SendSeam {

        private final List<SendEntry> entries = new CopyOnWriteArrayList<>();
        private final Semaphore arrived = new Semaphore(0);
        private volatile CountDownLatch gate = new CountDownLatch(0);

        Gate() {
            super(sqs);
        }

        void close() {
            gate = new CountDownLatch(1);
        }

        void open() {
            gate.countDown();
        }

        void awaitCalls(int calls) {
            assertThat(arrived.tryAcquire(calls) || awaited(calls)).isTrue();
        }

        private boolean awaited(int calls) {
            try {
                return arrived.tryAcquire(calls, 10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        List<EntryResult<SentMessage>> onSend(Queue queue, List<SendEntry> batch) throws InterruptedException {
            arrived.release();
            gate.await();
            entries.addAll(batch);
            return super.onSend(queue, batch);
        }
    }

    private static final class Recorded implements SenderEvents {

        private final List<String> log = new CopyOnWriteArrayList<>();
        private final AtomicInteger retried = new AtomicInteger();

        @Override
        public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
            log.add("call " + entries + " " + errorCode);
        }

        @Override
        public void buffered() {
            log.add("buffered");
        }

        @Override
        public void sending(int messages, long bytes) {
            log.add("sending " + messages + " " + bytes);
        }

        @Override
        public void retried(int messages) {
            retried.addAndGet(messages);
        }

        @Override
        public void sent(Duration delay) {
            log.add("sent");
        }

        @Override
        public void refused(String code) {
            log.add("refused " + code);
        }
    }
}
