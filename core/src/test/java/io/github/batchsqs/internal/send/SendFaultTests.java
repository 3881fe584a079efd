/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.EntryResult.Rejected;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SendResults;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.FastTime;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.json.JsonMapper;

/** The send path between faults at the seam and a real server, checked at the receiving end. */
@Execution(ExecutionMode.CONCURRENT)
class SendFaultTests {

    private final SendServer server = new SendServer();

    @Test
    void losesNothingOnAStandardQueue() throws Exception {
        Queue queue = server.createQueue();
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            bodies.add("m" + i);
        }
        FaultySeam seam = new FaultySeam(server.client, 1);
        try (var template = server.template(PatientSender.options().build(), seam)) {
            SendResults results = template.sendAll(queue.name(), bodies);
            assertThat(results.failed()).isEmpty();
        }
        assertThat(seam.happened()).isTrue();
        List<String> received =
                server.drain(queue).stream().map(ReceivedMessage::body).toList();
        assertThat(new HashSet<>(received)).isEqualTo(new HashSet<>(bodies));
        // Only a call whose response was lost is sent twice.
        assertThat(received.size() - bodies.size()).isLessThanOrEqualTo(10 * seam.resets.get());
    }

    @Test
    void losesDuplicatesAndReordersNothingOnAFifoQueue() throws Exception {
        Queue queue = server.createFifoQueue();
        List<OutgoingMessage> messages = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            messages.add(OutgoingMessage.builder(queue.name(), "" + i)
                    .groupId("g" + i % 20)
                    .build());
        }
        FaultySeam seam = new FaultySeam(server.client, 2);
        SendResults results;
        try (var template = server.template(PatientSender.options().build(), seam)) {
            results = template.sendAll(messages);
        }
        assertThat(seam.happened()).isTrue();
        assertThat(results.failed())
                .allMatch(each -> each.cause().code().equals(SendFailedException.OUT_OF_ORDER))
                .allMatch(each -> !each.cause().retryable());
        assertThat(results.retriable()).isEmpty();

        List<ReceivedMessage> received = server.drain(queue);
        Map<String, Integer> last = new HashMap<>();
        for (ReceivedMessage each : received) {
            int number = Integer.parseInt(each.body());
            assertThat(number).isGreaterThan(last.getOrDefault(each.groupId(), -1));
            last.put(each.groupId(), number);
        }
        Set<String> arrived =
                new HashSet<>(received.stream().map(ReceivedMessage::body).toList());
        assertThat(arrived).hasSameSizeAs(received);
        assertThat(arrived).containsAll(bodiesOf(results.successful().stream().map(SendResults.Sent::message)));
        // What else arrived came with a call whose response was lost; a later call refused it and took its successors.
        arrived.removeAll(bodiesOf(results.successful().stream().map(SendResults.Sent::message)));
        assertThat(bodiesOf(results.failed().stream()
                        .filter(each -> each.cause().attempts() > 1)
                        .map(SendResults.Failed::message)))
                .containsAll(arrived);
        assertThat(results.successful().size() + results.failed().size()).isEqualTo(messages.size());
    }

    private static Set<String> bodiesOf(Stream<OutgoingMessage> messages) {
        return messages.map(each -> each.payload().toString()).collect(Collectors.toSet());
    }

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

    @Test
    void losesNoneOfTenThousandWhenItClosesInTime() throws Exception {
        assertThat(closeWithTenThousandBuffered(Integer.MAX_VALUE)).isEqualTo(10_000);
    }

    @Test
    void losesNoneOfTenThousandWhenItsDeadlinePasses() throws Exception {
        assertThat(closeWithTenThousandBuffered(300)).isBetween(1, 3_000);
    }

    /** The server responds to so many calls, when all is buffered, and then no more; returns how many messages arrived. */
    private static int closeWithTenThousandBuffered(int calls) throws Exception {
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
        boolean inTime = calls == Integer.MAX_VALUE;
        if (!inTime) { // a response that comes at the very deadline is another matter
            Progress.until(ended::get, calls);
            int accepted = sqs.visible(queue).size();
            Progress.until(
                    () -> futures.stream().filter(CompletableFuture::isDone).count(), (long) accepted);
        }
        template.close(inTime ? Duration.ofMinutes(10) : Duration.ofSeconds(1));

        if (inTime) { // else they complete just after the deadline
            assertThat(futures).allMatch(CompletableFuture::isDone);
        }
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
        return sent.size();
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

    /**
     * In 100 calls: 5 are throttled, 5 lose their response after the server took them; in the others 10 % of the entries fail
     * for the server's fault. A call that is both taken in part and without a response is not among them: nobody could keep the
     * order then.
     */
    private static final class FaultySeam extends SendSeam {

        private final ReentrantLock lock = new ReentrantLock();
        private final Random random;
        private final AtomicInteger throttles = new AtomicInteger();
        private final AtomicInteger resets = new AtomicInteger();
        private final AtomicInteger entryFailures = new AtomicInteger();

        FaultySeam(QueueClient server, long seed) {
            super(server);
            random = new Random(seed);
        }

        boolean happened() {
            return throttles.get() > 0 && resets.get() > 0 && entryFailures.get() > 0;
        }

        @Override
        List<EntryResult<SentMessage>> onSend(Queue queue, List<SendEntry> entries) throws InterruptedException {
            int fate = draw(100);
            if (fate < 5) {
                throttles.incrementAndGet();
                throw failed("RequestThrottled");
            }
            if (fate < 10) {
                var ignored = super.onSend(queue, entries);
                resets.incrementAndGet();
                throw failed("ConnectionFailed");
            }
            return sendSome(queue, entries);
        }

        private List<EntryResult<SentMessage>> sendSome(Queue queue, List<SendEntry> entries)
                throws InterruptedException {
            List<SendEntry> passed = new ArrayList<>();
            List<@Nullable EntryResult<SentMessage>> results = new ArrayList<>();
            for (SendEntry entry : entries) {
                if (draw(10) == 0) {
                    entryFailures.incrementAndGet();
                    results.add(new Rejected<>("InternalError", "We encountered an internal error", true));
                } else {
                    passed.add(entry);
                    results.add(null);
                }
            }
            var accepted =
                    (passed.isEmpty() ? List.<EntryResult<SentMessage>>of() : super.onSend(queue, passed)).iterator();
            List<EntryResult<SentMessage>> all = new ArrayList<>();
            for (EntryResult<SentMessage> each : results) {
                all.add(each == null ? accepted.next() : each);
            }
            return all;
        }

        private int draw(int bound) {
            lock.lock();
            try {
                return random.nextInt(bound);
            } finally {
                lock.unlock();
            }
        }

        private static QueueCallException failed(String code) {
            return new QueueCallException("SendMessageBatch", code, "by a test's wish", true, null);
        }
    }
}
