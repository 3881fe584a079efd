/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SenderEventMethods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.json.JsonMapper;

/** A queue in memory, what stands before it, and the templates that send to it; all templates are closed after a test. */
abstract class TemplateFixture {

    /** A payload of the largest size. */
    static final String LARGEST = "x".repeat(1 << 20);

    final InMemoryQueueClient sqs = new InMemoryQueueClient(TimeSource.system());
    final Queue standard = sqs.createQueue("q");
    final Queue fifo = sqs.createQueue("q.fifo");
    final Gate seam = new Gate();
    final Recorded events = new Recorded();
    final SkippingTime clock = new SkippingTime();
    final List<BatchSqsTemplate> templates = new ArrayList<>();
    final BatchSqsTemplate template = template(options -> options);

    @AfterEach
    void close() {
        seam.open();
        templates.forEach(BatchSqsTemplate::close);
        sqs.assertNoMisuse();
    }

    /** Lets the template find the queue, for which a short max-block may not suffice. */
    static void lookUp(BatchSqsTemplate template) {
        Progress.until(() -> !Progress.done(template.send("q", "found")).isCompletedExceptionally());
    }

    OutgoingMessage.Builder inGroup(Object payload) {
        return OutgoingMessage.builder("q.fifo", payload).groupId("g");
    }

    BatchSqsTemplate template(UnaryOperator<SenderOptions.Builder> change) {
        return template(change.apply(PatientSender.options()).build(), resources(seam, SendBinding.NONE));
    }

    SenderResources resources(QueueClient client, SendBinding binding) {
        return resources(client, binding, clock);
    }

    SenderResources resources(QueueClient client, SendBinding binding, TimeSource time) {
        return resources(client, sqs, queue -> events, SendObserver.NONE, binding, time, null);
    }

    /** Those of a client that the application has named. */
    SenderResources far(QueueClient client, QueueResolver resolver) {
        return resources(client, resolver, queue -> events, SendObserver.NONE, SendBinding.NONE, clock, null);
    }

    static SenderResources resources(
            QueueClient client,
            QueueResolver resolver,
            Function<String, SenderEvents> events,
            SendObserver observer,
            SendBinding binding,
            TimeSource time,
            @Nullable PayloadStore store) {
        return new SenderResources(
                client, resolver, new JacksonPayloadCodec(JsonMapper.shared()), events, observer, binding, time, store);
    }

    /** Makes a template that stores payloads, for as long as the test. */
    BatchSqsTemplate storing(SendBinding binding, PayloadStore store) {
        return template(
                PatientSender.options().build(),
                resources(seam, sqs, queue -> events, SendObserver.NONE, binding, clock, store));
    }

    /** Makes a template, for as long as the test. */
    BatchSqsTemplate template(SenderOptions options, SenderResources resources) {
        BatchSqsTemplate made = new BatchSqsTemplate(options, resources);
        templates.add(made);
        return made;
    }

    /** Waits until the template has found the queue: an empty message is refused only then for what it is. */
    static void awaitQueue(BatchSqsTemplate template) {
        Progress.until(() -> failureOf(template.send("q", "")).code(), SendFailedException.INVALID_MESSAGE);
    }

    static SendFailedException failureOf(Future<SendResult> future) {
        return (SendFailedException) Progress.done(future).exceptionNow();
    }

    /** Lets calls through while it is open, and remembers what they carried. */
    final class Gate extends SendSeam {

        final List<SendEntry> entries = new CopyOnWriteArrayList<>();
        final Set<String> urls = ConcurrentHashMap.newKeySet();
        final Semaphore arrived = new Semaphore(0);
        volatile CountDownLatch gate = new CountDownLatch(0);

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
            Progress.whileMoving(arrived::availablePermits, () -> arrived.tryAcquire(calls));
        }

        @Override
        List<EntryResult<SentMessage>> onSend(Queue queue, List<SendEntry> batch) throws InterruptedException {
            urls.add(queue.url());
            arrived.release();
            gate.await();
            entries.addAll(batch);
            return super.onSend(queue, batch);
        }
    }

    /** The system's clock, ahead of it by what was skipped. */
    static final class SkippingTime implements TimeSource {
        final AtomicLong skipped = new AtomicLong();

        void skip(Duration time) {
            skipped.addAndGet(time.toNanos());
        }

        @Override
        public long nanos() {
            return System.nanoTime() + skipped.get();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }
    }

    static final class Recorded implements SenderEventMethods {

        final List<String> log = new CopyOnWriteArrayList<>();
        final AtomicInteger retried = new AtomicInteger();

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
        public void failed(String code) {
            log.add("failed");
        }

        @Override
        public void refused(String code) {
            log.add("refused " + code);
        }

        /** What became of messages, without the calls. */
        List<String> ofMessages() {
            return log.stream()
                    .filter(each -> !each.startsWith("call ") && !each.startsWith("sending "))
                    .toList();
        }
    }
}
