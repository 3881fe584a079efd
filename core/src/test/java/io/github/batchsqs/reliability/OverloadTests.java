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
}
