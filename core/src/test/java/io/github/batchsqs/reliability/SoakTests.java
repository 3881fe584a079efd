/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.testkit.ElasticMqServer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Many messages through a template and a listener in this process, with every fault on; {@code -Dreliability.soak} says how
 * many. The server, the proxy and the tally are in the same heap. The tally is there from the start.
 */
@Tag("reliability")
class SoakTests {

    private static final int MESSAGES = Integer.getInteger("reliability.soak", 5_000);
    private static final long SEED = Long.getLong("reliability.seed", 1);
    private static final int PERCENT = 1;
    private static final int WINDOW = 2_000;
    private static final int SAMPLES = 20;

    /** What late samples may be above early ones: a leak of 100 bytes a message would pass it at 200,000 messages. */
    private static final long MARGIN_BYTES = 20 << 20;

    private static final int MARGIN_THREADS = 20;

    private final ElasticMqServer server = ElasticMqServer.shared();
    private final AtomicIntegerArray runs = new AtomicIntegerArray(MESSAGES);
    private final AtomicIntegerArray accepted = new AtomicIntegerArray(MESSAGES);
    private final AtomicInteger done = new AtomicInteger();
    private final Semaphore window = new Semaphore(WINDOW);

    /** The state of the JVM when so many messages had been run. */
    private record Sample(int messages, long heap, int threads) {}

    @Test
    void losesNothingAndKeepsItsHeapAndThreadsWithFaultsOn() throws Exception {
        Queue queue = server.createQueue(Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "10"));
        Scenario scenario = new Scenario(SEED, PERCENT, Fault.values());
        List<Sample> samples = new ArrayList<>();
        try (Traffic traffic = new Traffic(queue, scenario, this::ran)) {
            for (int i = 0; i < MESSAGES; i++) {
                window.acquire();
                send(traffic, i);
                if ((i + 1) % (MESSAGES / SAMPLES) == 0) {
                    samples.add(sample());
                }
            }
            await("the last messages")
                    .atMost(Duration.ofMinutes(5))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> window.availablePermits() == WINDOW
                            && traffic.size() == 0
                            && traffic.container.status().inFlight() == 0);
            assertThat(traffic.template.bufferedBytes()).isZero();
        }
        print(samples, scenario);
        assertThat(count(accepted)).as("accepted").isEqualTo(MESSAGES);
        assertThat(count(runs)).as("run").isEqualTo(MESSAGES);
        assertThat(heap(samples, true)).isLessThan(heap(samples, false) + MARGIN_BYTES);
        assertThat(samples.getLast().threads())
                .isLessThan(samples.get(SAMPLES / 4).threads() + MARGIN_THREADS);
    }

    private void send(Traffic traffic, int message) {
        CompletableFuture<?> ignored = traffic.send("m:" + message).whenComplete((result, failure) -> {
            if (failure == null) {
                accepted.set(message, 1);
            }
            window.release();
        });
    }

    private void ran(SqsMessage<String> message) {
        int index = Integer.parseInt(message.payload().substring(2));
        if (runs.getAndIncrement(index) == 0) {
            done.incrementAndGet();
        }
    }

    private Sample sample() {
        System.gc();
        return new Sample(
                done.get(),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    /** The least heap of the samples of a half, without the first, in which all warms up. */
    private static long heap(List<Sample> samples, boolean late) {
        int middle = samples.size() / 2;
        return (late ? samples.subList(middle, samples.size()) : samples.subList(1, middle))
                .stream().mapToLong(Sample::heap).min().orElseThrow();
    }

    private static int count(AtomicIntegerArray tally) {
        int count = 0;
        for (int i = 0; i < tally.length(); i++) {
            count += tally.get(i) > 0 ? 1 : 0;
        }
        return count;
    }

    private void print(List<Sample> samples, Scenario scenario) {
        long total = 0;
        for (int i = 0; i < runs.length(); i++) {
            total += runs.get(i);
        }
        StringBuilder table = new StringBuilder("| messages run | heap after GC, MiB | threads |\n|---|---|---|\n");
        for (Sample sample : samples) {
            table.append(
                    "| %d | %.1f | %d |\n".formatted(sample.messages(), sample.heap() / 1_048_576.0, sample.threads()));
        }
        System.out.println("reliability: soak, seed %d: %d messages, %d faults, lost %d, run again %d\n%s"
                .formatted(SEED, MESSAGES, scenario.happened(), MESSAGES - count(runs), total - count(runs), table));
    }
}
