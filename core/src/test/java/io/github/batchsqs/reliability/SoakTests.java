/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.Progress;
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
import org.junit.jupiter.api.parallel.Isolated;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Many messages through a template and a listener in this process, with every fault on; {@code -Dreliability.soak} says how
 * many. The server, the proxy and the tally are in the same heap; the tally is there from the start.
 *
 * <p>The state of the JVM is read at rest: when everything sent so far was run and deleted. What is there then, nothing
 * needs any more but the engine itself.
 */
@Tag("reliability")
@Isolated
class SoakTests {

    private static final int MESSAGES = Integer.getInteger("reliability.soak", 10_000);
    private static final long SEED = Long.getLong("reliability.seed", 1);
    private static final int PERCENT = Integer.getInteger("reliability.percent", 1);

    /** The most messages that were sent and have not run. */
    private static final int WINDOW = Integer.getInteger("reliability.window", 2_000);

    private static final int SAMPLES = MESSAGES < 100_000 ? 5 : 20;

    /** What the late samples may be above the early ones: 8 bytes a message of the second half of a million. */
    private static final long MARGIN_BYTES = 4 << 20;

    private final ElasticMqServer server = ElasticMqServer.shared();

    /** For each message the hash of the id under which it first ran; zero before. */
    private final AtomicIntegerArray firstRuns = new AtomicIntegerArray(MESSAGES);

    private final AtomicInteger rerun = new AtomicInteger();
    private final AtomicInteger sentTwice = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final Semaphore window = new Semaphore(WINDOW);

    @Test
    void losesNothingAndKeepsItsHeapAndThreadsWithFaultsOn() throws Exception {
        Queue queue = server.createQueue(Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "5"));
        Scenario scenario = new Scenario(SEED, PERCENT, Fault.values());
        List<JvmSample> samples = new ArrayList<>();
        int part = MESSAGES / SAMPLES;
        long began = System.nanoTime();
        // Idle threads of tests before this one, which end within half a minute
        long threadsOfOthers = JvmSample.take(0, 0, Duration.ZERO).threads();
        try (Traffic traffic = new Traffic(queue, scenario, BatchListener.of(batch -> batch.forEach(this::ran)))) {
            for (int sent = 0; sent < SAMPLES * part; ) {
                for (int end = sent + part; sent < end; sent++) {
                    window.acquire();
                    send(traffic, sent);
                }
                int behind = WINDOW - window.availablePermits();
                awaitRest(traffic);
                samples.add(JvmSample.take(sent, behind, Duration.ofNanos(System.nanoTime() - began)));
                Report.line("soak: " + samples.getLast());
            }
        }
        report(scenario);
        assertThat(accepted).as("accepted").hasValue(SAMPLES * part);
        assertThat(lost()).as("lost").isZero();
        assertThat(rerun).as("run again").hasValueLessThanOrEqualTo(scenario.mayRunAgain());
        assertThat(sentTwice).as("sent twice").hasValueLessThanOrEqualTo(scenario.maySendTwice());
        assertThat(leastHeap(samples, true)).isLessThan(leastHeap(samples, false) + MARGIN_BYTES);
        assertThat(samples)
                .allSatisfy(sample ->
                        assertThat(sample.threads()).isLessThanOrEqualTo(Traffic.MOST_THREADS + threadsOfOthers));
    }

    private void awaitRest(Traffic traffic) {
        Progress.whileMoving(
                () -> List.of(window.availablePermits(), traffic.size()),
                () -> window.availablePermits() == WINDOW
                        && traffic.size() == 0
                        && traffic.container.status().inFlight() == 0
                        && traffic.container.status().activeInvocations() == 0
                        && traffic.template.bufferedBytes() == 0);
    }

    private void send(Traffic traffic, int message) {
        CompletableFuture<?> ignored = traffic.send("m:" + message).whenComplete((result, failure) -> {
            if (failure == null) {
                accepted.incrementAndGet();
            } else {
                window.release();
            }
        });
    }

    private void ran(SqsMessage<String> message) {
        int hash = message.id().hashCode() | 1;
        int first =
                firstRuns.compareAndExchange(Integer.parseInt(message.payload().substring(2)), 0, hash);
        if (first == 0) {
            window.release();
        } else if (first == hash) {
            rerun.incrementAndGet();
        } else {
            sentTwice.incrementAndGet();
        }
    }

    /** The least heap of the samples of a half, without the first, before which all warms up. */
    private static long leastHeap(List<JvmSample> samples, boolean late) {
        int middle = samples.size() / 2 + 1;
        return (late ? samples.subList(middle, samples.size()) : samples.subList(1, middle))
                .stream().mapToLong(JvmSample::heap).min().orElseThrow();
    }

    private int lost() {
        int lost = 0;
        for (int i = 0; i < accepted.get(); i++) {
            lost += firstRuns.get(i) == 0 ? 1 : 0;
        }
        return lost;
    }

    private void report(Scenario scenario) {
        Report.add(new Report.Row(
                SoakTests.class,
                "soak, standard, all faults at once",
                SEED,
                MESSAGES,
                scenario.happened() + " faults",
                lost(),
                Report.bounded(rerun.get(), scenario.mayRunAgain()),
                Report.bounded(sentTwice.get(), scenario.maySendTwice()),
                "not guaranteed",
                "–"));
    }
}
