/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.send.SendResults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** More than is usual of everything. */
class OverloadTests {

    private final Set<String> handled = ConcurrentHashMap.newKeySet();

    @Test
    void atTheLimitOfMessagesInFlightAShortPollSaysSoAndTheListenerWaits() throws Exception {
        try (LogCapture log = LogCapture.warnings();
                MemoryListeners listeners = new MemoryListeners()) {
            Queue queue = full(listeners, "full-standard");
            List<ReceivedMessage> others = othersTake(listeners, queue);

            EngineContainer container = listeners.listen(
                    queue.name(),
                    options -> options.waitTime(Duration.ZERO),
                    BatchListener.of(batch -> handled.addAll(batch.payloads())));

            Progress.until(() -> failureOf(container).equals("OverLimit"));
            assertThat(handled).isEmpty();
            Progress.until(() -> log.events().stream()
                    .anyMatch(line -> line.contains("receiving from full-standard fails (OverLimit)")));
            othersDelete(listeners, queue, others);
            Progress.until(handled::size, 50);
            Progress.until(() -> failureOf(container).isEmpty());
        }
    }

    /** On FIFO, and with long polls, SQS answers with nothing; the listener cannot tell that from an empty queue. */
    @Test
    void atTheLimitOfMessagesInFlightAFifoQueueIsSilentAndTheListenerWaits() throws Exception {
        try (MemoryListeners listeners = new MemoryListeners()) {
            Queue queue = full(listeners, "full.fifo");
            List<ReceivedMessage> others = othersTake(listeners, queue);

            listeners.listen(
                    queue.name(),
                    options -> options.waitTime(Duration.ofSeconds(1)),
                    BatchListener.of(batch -> handled.addAll(batch.payloads())));

            Progress.until(() -> listeners.sqs.emptyReceives() > 0);
            assertThat(handled).isEmpty();
            othersDelete(listeners, queue, others);
            Progress.until(handled::size, 50);
        }
    }

    @Test
    void aThousandListenersStartReceiveAndStopOnFewPlatformThreads() {
        int before = ManagementFactory.getThreadMXBean().getThreadCount();
        try (MemoryListeners listeners = new MemoryListeners()) {
            for (int i = 0; i < 1_000; i++) {
                String name = "queue-" + i;
                listeners.sqs.put(listeners.sqs.createQueue(name), "of " + name);
                EngineContainer ignored = listeners.container(
                        name, options -> options, BatchListener.of(batch -> handled.addAll(batch.payloads())));
            }

            listeners.containers.start();

            Progress.until(handled::size, 1_000);
            // The bounded ones of the client, carriers, and what other tests start; not one for each listener.
            assertThat(ManagementFactory.getThreadMXBean().getThreadCount()).isLessThan(before + 300);
            listeners.containers.stop();
            for (int i = 0; i < 1_000; i++) {
                listeners.sqs.assertDrained(new Queue("queue-" + i, ""));
            }
        }
    }

    @Test
    @Tag("reliability") // the queue in memory takes its time over them
    void tenThousandMessagesAreSentByOneCallAndHandledAsOneBatch() throws Exception {
        try (MemoryListeners listeners = new MemoryListeners()) {
            Queue queue = listeners.sqs.createQueue("orders");
            List<Integer> sizes = new ArrayList<>();
            List<String> bodies =
                    IntStream.range(0, 10_000).mapToObj(i -> "m" + i).toList();
            try (BatchSqsTemplate template = new BatchSqsTemplate(
                    PatientSender.options().build(),
                    SenderResources.of(listeners.sqs, listeners.sqs, new JacksonPayloadCodec(JsonMapper.shared())))) {
                SendResults results = template.sendAll(queue.name(), bodies);
                assertThat(results.successful()).hasSize(10_000);
                assertThat(results.failed()).isEmpty();
            }
            assertThat(listeners.sqs.calls(Operation.SEND)).isEqualTo(1_000);

            listeners.listen(
                    queue.name(),
                    options -> options.batchSize(10_000)
                            .batchLinger(Duration.ofMinutes(5))
                            .concurrency(1),
                    BatchListener.of(batch -> {
                        sizes.add(batch.size());
                        handled.addAll(batch.payloads());
                    }));

            Progress.until(handled::size, 10_000);
            listeners.containers.stop();
            assertThat(sizes).containsExactly(10_000);
            assertThat(handled).containsAll(bodies);
            assertThat(listeners.sqs.calls(Operation.DELETE)).isEqualTo(1_000);
            listeners.sqs.assertDrained(queue);
        }
    }

    private static String failureOf(EngineContainer container) {
        var failure = container.status().receiveFailure();
        return failure == null ? "" : failure.code();
    }

    /** A queue of 150 messages that gives out no more than 100 at once. */
    private static Queue full(MemoryListeners listeners, String name) {
        Queue queue = listeners.sqs.createQueue(name, QueueSettings.DEFAULT.withMaxInFlight(100));
        for (int i = 0; i < 150; i++) {
            if (queue.fifo()) {
                listeners.sqs.putInGroup(queue, "g" + i, "m" + i);
            } else {
                listeners.sqs.put(queue, "m" + i);
            }
        }
        return queue;
    }

    private static List<ReceivedMessage> othersTake(MemoryListeners listeners, Queue queue) throws Exception {
        List<ReceivedMessage> taken = new ArrayList<>();
        while (taken.size() < 100) {
            taken.addAll(listeners.sqs.receive(new ReceiveCall(queue, 10, Duration.ZERO, Duration.ofHours(1), null)));
        }
        return taken;
    }

    private static void othersDelete(MemoryListeners listeners, Queue queue, List<ReceivedMessage> taken)
            throws Exception {
        for (int from = 0; from < taken.size(); from += 10) {
            List<String> handles = taken.subList(from, from + 10).stream()
                    .map(ReceivedMessage::receiptHandle)
                    .toList();
            assertThat(listeners.sqs.delete(queue, handles)).hasSize(10);
        }
    }
}
