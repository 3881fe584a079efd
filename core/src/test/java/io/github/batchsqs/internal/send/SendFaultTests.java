/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.FastTime;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.json.JsonMapper;

/** What the send path does when the server does not respond, or responses are lost. */
@Execution(ExecutionMode.CONCURRENT)
class SendFaultTests {

    @Test
    void boundsMemoryAndFailsEveryFutureWhenTheServerNeverResponds() throws Exception {
        InMemoryQueueClient sqs = new InMemoryQueueClient(TimeSource.system());
        sqs.createQueue("q");
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        SendSeam seam = new SendSeam(sqs) {
            @Override
            List<EntryResult<SentMessage>> onSend(Queue queue, List<SendEntry> entries) throws InterruptedException {
                most.accumulateAndGet(open.incrementAndGet(), Math::max);
                try {
                    new CountDownLatch(1).await();
                } finally {
                    open.decrementAndGet();
                }
                return List.of();
            }
        };
        SenderOptions options = SenderOptions.builder()
                .maxBatchBytes(10_000)
                .buffer(new SenderOptions.Buffer(60_000, Duration.ofMillis(20)))
                .deliveryTimeout(Duration.ofSeconds(5))
                .maxInFlight(2)
                .build();
        List<CompletableFuture<SendResult>> futures = new ArrayList<>();
        try (var template = template(options, seam, sqs)) {
            Progress.until(() -> codeOf(template.send("q", "")), SendFailedException.INVALID_MESSAGE); // found
            for (int i = 0; i < 60; i++) {
                futures.add(template.send("q", "x".repeat(1_500)));
                assertThat(template.bufferedBytes()).isLessThanOrEqualTo(60_000);
            }
            List<SendFailedException> failures = new ArrayList<>();
            for (CompletableFuture<SendResult> each : futures) {
                SendFailedException failure = failureOf(each);
                assertThat(failure).isNotNull();
                failures.add(failure);
            }
            assertThat(failures)
                    .extracting(SendFailedException::code)
                    .containsOnly(SendFailedException.BUFFER_FULL, SendFailedException.DELIVERY_TIMEOUT);
            assertThat(failures).allMatch(SendFailedException::retryable);
            assertThat(failures)
                    .allMatch(each -> String.valueOf(each.getMessage())
                            .contains(
                                    each.code().equals(SendFailedException.BUFFER_FULL)
                                            ? "max-block"
                                            : "delivery-timeout"));
            assertThat(template.bufferedBytes()).isZero();
        }
        assertThat(most).as("calls at a time").hasValue(2);
        assertThat(open).as("calls that go on").hasValue(0);
    }

    @Test
    void storesAMessageSixTimesAtMostWhenResponsesAreLostForAMinute() throws Exception {
        FastTime fast = new FastTime(60);
        InMemoryQueueClient sqs = new InMemoryQueueClient(TimeSource.system());
        Queue queue = sqs.createQueue("q");
        long end = fast.nanos() + Duration.ofMinutes(1).toNanos();
        AtomicInteger stored = new AtomicInteger();
        SendSeam seam = new SendSeam(sqs) {
            @Override
            List<EntryResult<SentMessage>> onSend(Queue to, List<SendEntry> entries) throws InterruptedException {
                List<EntryResult<SentMessage>> results = sqs.send(to, entries);
                stored.incrementAndGet();
                if (fast.nanos() - end < 0) {
                    throw new QueueCallException("SendMessageBatch", "ConnectionFailed", "reset", true, null);
                }
                return results;
            }
        };
        SenderResources resources = new SenderResources(
                seam,
                sqs,
                new JacksonPayloadCodec(JsonMapper.shared()),
                any -> SenderEvents.NONE,
                SendObserver.NONE,
                SendBinding.NONE,
                fast,
                null);
        try (var template = new BatchSqsTemplate(PatientSender.options().build(), resources)) {
            assertThat(template.send(queue.name(), "m").get().messageId()).isNotEmpty();
        }
        assertThat(stored).hasValueLessThanOrEqualTo(6);
    }

    /** The server responds to so many calls, when all is buffered, and then no more. */
    @Test
    void losesNoneOfTenThousandWhenTheDeadlineOfItsClosePasses() throws Exception {
        int calls = 300;
        InMemoryQueueClient sqs = new InMemoryQueueClient(TimeSource.system());
        Queue queue = sqs.createQueue("q");
        CountDownLatch closing = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        SendSeam seam = new SendSeam(sqs) {
            @Override
            List<EntryResult<SentMessage>> onSend(Queue to, List<SendEntry> entries) throws InterruptedException {
                closing.await();
                if (begun.incrementAndGet() > calls) {
                    new CountDownLatch(1).await();
                }
                List<EntryResult<SentMessage>> results = super.onSend(to, entries);
                ended.incrementAndGet();
                return results;
            }
        };
        BatchSqsTemplate template = template(PatientSender.options().build(), seam, sqs);
        List<CompletableFuture<SendResult>> futures = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            futures.add(template.send("q", "m" + i));
        }
        assertThat(futures).noneMatch(CompletableFuture::isDone);
        closing.countDown();
        Progress.until(ended::get, calls); // a response that comes at the very deadline is another matter
        int accepted = sqs.visible(queue).size();
        Progress.until(() -> futures.stream().filter(CompletableFuture::isDone).count(), (long) accepted);
        template.close(Duration.ofSeconds(1));

        Set<String> sent = new HashSet<>();
        for (CompletableFuture<SendResult> each : futures) {
            SendFailedException failure = failureOf(each);
            if (failure == null) {
                sent.add(each.get().messageId());
            } else {
                assertThat(failure.code()).isEqualTo(SendFailedException.CLOSED);
            }
        }
        assertThat(sqs.visible(queue).stream().map(StoredMessage::id)).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(template.bufferedBytes()).isZero();
        assertThat(sent).hasSizeBetween(1, 3_000);
    }

    private static BatchSqsTemplate template(SenderOptions options, QueueClient seam, InMemoryQueueClient sqs) {
        return new BatchSqsTemplate(
                options, SenderResources.of(seam, sqs, new JacksonPayloadCodec(JsonMapper.shared())));
    }

    private static String codeOf(CompletableFuture<SendResult> future) throws InterruptedException {
        SendFailedException failure = failureOf(future);
        return failure == null ? "sent" : failure.code();
    }

    private static @Nullable SendFailedException failureOf(CompletableFuture<SendResult> future)
            throws InterruptedException {
        try {
            var ignored = Progress.get(future);
            return null;
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(SendFailedException.class);
            return (SendFailedException) e.getCause();
        }
    }
}
