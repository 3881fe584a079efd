/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

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
