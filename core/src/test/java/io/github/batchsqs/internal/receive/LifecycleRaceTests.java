/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.StoredMessage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four threads do at random what can be done to a container, while messages flow. A failure names the seed; {@code
 * -Dbatchsqs.test.seed=<seed>} draws the same actions again.
 */
class LifecycleRaceTests {

    private static final int THREADS = 4;
    /** Not more, because a stop or pause gives an open receive 0.4 s. */
    private static final int SEQUENCES = 200;

    private static final int MOST_ACTIONS = 4;
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofMinutes(2);

    /** No delay, or the second that SQS makes of any fraction. */
    private static final Backoff SOON = Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1));

    /** What moves is waited for; what has not moved for so long never will. */
    private static final Duration NO_PROGRESS = Duration.ofMinutes(1);

    private final long seed = Long.getLong("batchsqs.test.seed", System.nanoTime());
    private final String id = "raced-" + Long.toHexString(seed);
    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    /** What an aborted receive took comes back after this. */
    private final Queue queue =
            client.createQueue("orders", QueueSettings.DEFAULT.withVisibilityTimeout(Duration.ofSeconds(5)));

    private final RaceFailures failures = new RaceFailures();
    private final Set<String> handled = ConcurrentHashMap.newKeySet();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong progress = new AtomicLong();
    private final AtomicInteger sent = new AtomicInteger();
    private final EngineContainer container = new EngineContainer(
            ListenerOptions.builder(id, "orders")
                    .shutdownTimeout(SHUTDOWN_TIMEOUT)
                    .waitTime(Duration.ofSeconds(20))
                    .pollers(1, 4)
                    .batchSize(2)
                    .failure(
                            new ListenerOptions.Failure(SOON, false, List.of(), ListenerOptions.Failure.REDRIVE_POLICY))
                    .executor(new ListenerOptions.InvocationExecutor.Custom(failures))
                    .build(),
            new ListenerHandler<>(
                    ReceivedMessage::body, BatchListener.<String>of(this::handle), List.of(failures), failures),
            new ListenerResources(client, client, ListenerEvents.NONE, TimeSource.system()));

    @TempDir
    private Path dumps;

    /** Long polls, receives that ignore their interrupt, and parts that throw whatever can be thrown. */
    @Test
    void nothingIsLostAndEveryStopReturnsWhereReceivesHangAndPartsThrow() throws Exception {
        client.longPolling(true);
        client.faults(failures);
        failures.begin();
        race();
        assertThat(failures.happened()).isTrue();
    }

    private void handle(MessageBatch<String> batch) {
        running.incrementAndGet();
        try {
            failures.throwOnceIn(5);
            handled.addAll(batch.payloads());
            progress.incrementAndGet();
        } finally {
            running.decrementAndGet();
        }
    }

    private void race() throws Exception {
        try {
            SplittableRandom random = new SplittableRandom(seed);
            List<FutureTask<Void>> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom own = random.split();
                FutureTask<Void> task = new FutureTask<>(() -> race(own), null);
                threads.add(task);
                Thread.ofVirtual().start(task);
            }
            for (FutureTask<Void> thread : threads) {
                waitFor("the racing threads", thread::isDone);
                thread.get();
            }
            stopInTime();
            failures.end();
            nothingRunsAfterTheStop();
            everythingIsHandledByTheNextRun();
        } catch (Throwable e) {
            throw new AssertionError("Failed with -Dbatchsqs.test.seed=" + seed, e);
        } finally {
            failures.end();
        }
    }

    private void race(SplittableRandom random) {
        for (int i = 0; i < SEQUENCES / THREADS; i++) {
            client.put(queue, "m" + sent.incrementAndGet());
            for (int actions = 1 + random.nextInt(MOST_ACTIONS); actions > 0; actions--) {
                act(random);
                progress.incrementAndGet();
            }
        }
    }

    private void act(SplittableRandom random) {
        switch (random.nextInt(8)) {
            case 0, 1 -> startUnlessItThrows();
            case 2 -> stopInTime();
            case 3 -> container.pause();
            case 4 -> container.resume();
            case 5 -> container.setConcurrency(1 + random.nextInt(20));
            case 6 -> container.setPollers(1, 1 + random.nextInt(8));
            default -> {
                assertThat(container.status().inFlight()).isNotNegative();
                failures.letHungReceivesGoOn();
            }
        }
    }

    /** What a part throws that a start calls, the start throws. */
    private void startUnlessItThrows() {
        try {
            container.start();
        } catch (Throwable e) {
            if (!failures.threw(e)) {
                throw e;
            }
        }
    }

    private void stopInTime() {
        long began = System.nanoTime();
        container.stop();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SHUTDOWN_TIMEOUT);
        progress.incrementAndGet();
    }

    private void nothingRunsAfterTheStop() throws Exception {
        assertThat(container.status()).isEqualTo(ContainerStatus.idle(ContainerState.STOPPED, null));
        assertThat(running).hasValue(0);
        client.put(queue, "late");
        waitFor("the end of the threads", () -> threadsLeft().isEmpty());
        assertThat(client.visible(queue)).extracting(StoredMessage::body).contains("late");
        assertThat(handled).doesNotContain("late");
    }

    /** Permits that were not returned would starve it. */
    private void everythingIsHandledByTheNextRun() throws Exception {
        container.setConcurrency(4);
        container.start();
        waitFor("all messages", () -> handled.size() == sent.get() + 1);
        waitFor("all permits", () -> container.status().inFlight() == 0);
        container.stop();
        client.assertNothingLost();
        client.assertNoMisuse();
        client.assertDrained(queue);
        waitFor("the end of the threads", () -> threadsLeft().isEmpty());
    }

    /** The threads of this container, virtual ones too. */
    private List<String> threadsLeft() {
        try {
            Path dump = Files.createTempDirectory(dumps, "dump").resolve("threads.txt");
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            server.invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "threadDumpToFile",
                    new Object[] {new String[] {dump.toString()}},
                    new String[] {String[].class.getName()});
            return Files.readAllLines(dump).stream()
                    .filter(line -> line.contains("batchsqs-" + id))
                    .toList();
        } catch (IOException | javax.management.JMException e) {
            throw new AssertionError(e);
        }
    }

    private void waitFor(String what, Condition condition) throws Exception {
        long seen = progress.get();
        long since = System.nanoTime();
        while (!condition.holds()) {
            if (progress.get() != seen) {
                seen = progress.get();
                since = System.nanoTime();
            }
            if (System.nanoTime() - since > NO_PROGRESS.toNanos()) {
                throw new AssertionError("Nothing has moved for " + NO_PROGRESS + ", waiting for " + what + ": "
                        + container.status() + ", threads " + threadsLeft() + ", visible "
                        + client.visible(queue).size() + ", in flight " + client.inFlight(queue));
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds() throws Exception;
    }
}
