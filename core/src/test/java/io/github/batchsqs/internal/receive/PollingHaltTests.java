/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.FreezableTime;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A container whose polling is paused, resumed and stopped, on a queue in memory. */
class PollingHaltTests {

    private final FreezableTime time = new FreezableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    private final Queue queue = client.createQueue("orders");
    private final WatchedClient watched = new WatchedClient();
    private final Set<String> handled = ConcurrentHashMap.newKeySet();
    private @Nullable EngineContainer container;

    PollingHaltTests() {
        client.longPolling(true);
    }

    @AfterEach
    void nothingIsLost() {
        if (container != null) {
            container.stop();
        }
        client.assertNothingLost();
    }

    @Test
    void reportsBlockedPollersAndALimitThatIsNeverBelowWhatIsHeld() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        EngineContainer running = started(
                batch -> {
                    gate.await();
                    handled.addAll(batch.payloads());
                    return BatchOutcome.done();
                },
                options -> options.concurrency(4).batchSize(10).prefetch(0));
        client.put(queue, bodies("a", 100));
        Progress.until(() -> running.status().inFlight(), 40);
        Progress.until(() -> allBlocked(running.status()));

        running.setConcurrency(1);

        assertThat(running.options().concurrency()).isEqualTo(1);
        assertThat(running.status().inFlight()).isEqualTo(40);
        assertThat(running.status().permits()).isEqualTo(40);
        assertThat(running.status().inFlightLimit()).isEqualTo(40);
        gate.countDown();
        Progress.until(handled::size, 100);
        Progress.until(() -> running.status().inFlightLimit(), 10);
    }

    @Test
    void afterAResumeNoMoreIsHeldThanBefore() throws Exception {
        AtomicReference<CountDownLatch> gate = new AtomicReference<>(new CountDownLatch(0));
        EngineContainer running = started(
                batch -> {
                    gate.get().await();
                    handled.addAll(batch.payloads());
                    return BatchOutcome.done();
                },
                options -> options.concurrency(4).batchSize(10).waitTime(Duration.ofSeconds(1)));
        client.put(queue, bodies("a", 400));
        Progress.until(handled::size, 400);
        Progress.until(() -> running.status().inFlight() == 0);
        Progress.until(() -> running.status().inFlightLimit() < 100); // idle polls cut it back
        running.pause();

        gate.set(new CountDownLatch(1));
        client.put(queue, bodies("b", 900));
        running.resume();

        Progress.until(() -> full(running.status()));
        assertThat(running.status().inFlight()).isLessThan(100); // 40 run, and some receives are held ready
        gate.get().countDown();
        Progress.until(handled::size, 1_300);
    }

    @Test
    void everyReceiveAsksForTheLeaseThatTheListenerCountsWith() throws Exception {
        EngineContainer running = started(BatchListener.of(batch -> handled.addAll(batch.payloads())));
        client.put(queue, "a");
        Progress.until(() -> handled.contains("a"));
        running.stop();
        assertThat(watched.timeouts).isNotEmpty().allMatch(Duration.ofSeconds(30)::equals);
    }

    @Test
    void messagesReturnedLateReturnInTheOrderOfTheirReceiveTheLastFirst() throws Exception {
        client.put(queue, bodies("m", 10));
        CountDownLatch runs = new CountDownLatch(1);
        EngineContainer running = started(
                batch -> {
                    runs.countDown();
                    new CountDownLatch(1).await();
                    return BatchOutcome.done();
                },
                options -> options.concurrency(1).batchSize(10).shutdownTimeout(Duration.ofSeconds(5)));
        runs.await();
        time.freeze();
        running.stop();
        assertThat(watched.released).isEqualTo(watched.received.reversed());
    }

    private static boolean allBlocked(ContainerStatus status) {
        return status.pollers() > 0 && status.blockedPollers() == status.pollers();
    }

    private static boolean full(ContainerStatus status) {
        return status.activeInvocations() == 4 && status.inFlight() >= status.inFlightLimit();
    }

    private static String[] bodies(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
    }

    private EngineContainer started(BatchListener<String> listener) {
        return started(listener, UnaryOperator.identity());
    }

    private EngineContainer started(BatchListener<String> listener, UnaryOperator<ListenerOptions.Builder> options) {
        EngineContainer made = new EngineContainer(
                options.apply(ListenerOptions.builder("orders-listener", "orders"))
                        .build(),
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                new ListenerResources(watched, client, ListenerEvents.NONE, time));
        container = made;
        made.start();
        return made;
    }

    /** The client, and what was asked of it. */
    private final class WatchedClient implements QueueClient {

        final List<Duration> timeouts = new CopyOnWriteArrayList<>();
        final List<String> received = new CopyOnWriteArrayList<>();
        final List<String> released = new CopyOnWriteArrayList<>();

        @Override
        public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
            timeouts.add(Objects.requireNonNullElse(call.visibilityTimeout(), Duration.ZERO));
            List<ReceivedMessage> messages = client.receive(call);
            messages.forEach(message -> received.add(message.receiptHandle()));
            return messages;
        }

        @Override
        public List<EntryResult<Void>> delete(Queue from, List<String> receiptHandles) throws InterruptedException {
            return client.delete(from, receiptHandles);
        }

        @Override
        public List<EntryResult<Void>> changeVisibility(Queue of, List<VisibilityChange> changes)
                throws InterruptedException {
            changes.forEach(change -> released.add(change.receiptHandle()));
            return client.changeVisibility(of, changes);
        }

        @Override
        public List<EntryResult<SentMessage>> send(Queue to, List<SendEntry> entries) throws InterruptedException {
            return client.send(to, entries);
        }
    }
}
