/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.Sources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A poller that rests between receives: at a steady rate, or because the server answers long polls at once. */
class RestingPollerTests {

    private static final Duration WAIT_TIME = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration WINDOW = Duration.ofNanos(ReceiveSpacing.WINDOW);
    private static final Duration REST = Duration.ofNanos(ReceiveSpacing.LONGEST);

    private final SettableTime time = new SettableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(time);
    private final LinkedBlockingQueue<String> handedOver = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Queue queue = client.createQueue("orders-queue");
    private int maxPollers;
    private final Valve valve = Fetchers.handingOver(
            toRun -> handedOver.addAll(Deliveries.bodies(toRun)),
            Sources.of(options(2), queue, LONG, client, ListenerEvents.NONE, time, failure -> {}),
            new InFlightLimit(0, MessageMemory.unlimited()),
            task -> threads.add(Thread.ofPlatform().start(task)));

    @AfterEach
    void stopPolling() {
        valve.stop(Duration.ZERO);
    }

    /** After eleven messages in a tenth of a second and one more, the next receive may begin in 20 ms. */
    @Test
    void receivesAgainWhenItHasRested() {
        client.longPolling(true);
        start(2);
        Progress.until(() -> state() == Thread.State.WAITING);
        put("a", "b");
        Progress.until(() -> state() == Thread.State.WAITING); // for the next messages, which come all at once
        time.advance(WINDOW);
        put("c", "d", "e", "f", "g", "h", "i", "j", "k");
        Progress.until(() -> state() == Thread.State.WAITING);
        put("l");
        long calls = calls();
        awaitRest();
        client.put(queue, "next");
        advance(REST);
        assertThat(Progress.take(handedOver)).isEqualTo("next");
        assertThat(calls()).isGreaterThan(calls);
    }

    @Test
    void logsResponsesThatAreEmptyTooEarlyWhenThereAreSeveralInARow() {
        try (LogCapture log = LogCapture.warnings()) {
            start(1);
            while (calls() < 4) {
                receiveAgain();
            }
            awaitRest();
            assertThat(log.events()).isEmpty();

            while (calls() < 10) {
                receiveAgain();
            }
            awaitRest();
            assertThat(log.event())
                    .contains(
                            "Listener orders: receives from orders-queue have empty responses too early, 5 in a row, the"
                                    + " last after 0 ms although wait-time is 2s",
                            "check the endpoint and the proxy");
        }
    }

    private void start(int most) {
        maxPollers = most;
        valve.change(options(most));
        valve.start();
    }

    private void put(String... bodies) {
        client.put(queue, bodies);
        for (String body : bodies) {
            assertThat(Progress.take(handedOver)).isEqualTo(body);
        }
    }

    /** Ends the pause of the only poller. */
    private void receiveAgain() {
        awaitRest();
        long before = calls();
        advance(WAIT_TIME);
        Progress.until(this::calls, before + 1);
    }

    private void advance(Duration by) {
        time.advance(by);
        valve.change(options(maxPollers)); // wakes the pollers, so that they look at the time
    }

    /** Waits until the poller rests; fails if it calls without a rest. */
    private void awaitRest() {
        Progress.whileMoving(this::calls, () -> calls() > 1_000 || state() == Thread.State.TIMED_WAITING);
        assertThat(calls()).isLessThanOrEqualTo(1_000);
    }

    private Thread.State state() {
        return threads.getLast().getState();
    }

    private long calls() {
        return client.calls(Operation.RECEIVE);
    }

    private static ListenerOptions options(int maxPollers) {
        return ListenerOptions.builder("orders", "orders-queue")
                .concurrency(16)
                .waitTime(WAIT_TIME)
                .pollers(1, maxPollers)
                .build();
    }
}
