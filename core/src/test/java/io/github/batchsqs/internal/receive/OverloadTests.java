/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.testkit.Progress;
import java.lang.management.ManagementFactory;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** More than is usual of everything. */
class OverloadTests extends ContainerFixture {
    @Test
    void aThousandListenersStartReceiveAndStopOnFewPlatformThreads() {
        int before = ManagementFactory.getThreadMXBean().getThreadCount();
        ContainerRegistry containers = new ContainerRegistry();
        for (int i = 0; i < 1_000; i++) {
            String name = "queue-" + i;
            client.put(client.createQueue(name), "of " + name);
            containers.register(container(collect, options -> options.id(name).queue(name)));
        }

        containers.start();

        Progress.until(() -> Set.copyOf(handled).size(), 1_000);
        // The bounded ones of the client, carriers, and what other tests start; not one for each listener.
        assertThat(ManagementFactory.getThreadMXBean().getThreadCount()).isLessThan(before + 300);
        containers.stop();
        for (int i = 0; i < 1_000; i++) {
            client.assertDrained(new Queue("queue-" + i, ""));
        }
    }
}
