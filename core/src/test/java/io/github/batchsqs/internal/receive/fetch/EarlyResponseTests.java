/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Long polls that a server answers at once, however long they may wait. */
class EarlyResponseTests {

    private static final Duration WAIT_TIME = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration STEP = Duration.ofMillis(100);

    private final SettableTime time = new SettableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(time);
    private final Queue queue = client.createQueue("orders-queue");
    private final LinkedBlockingQueue<String> handedOver = new LinkedBlockingQueue<>();
    private final List<Thread> pollers = new CopyOnWriteArrayList<>();
    private final Valve valve = valve();

    @AfterEach
    void stopPolling() {
        valve.stop(Duration.ZERO);
    }

    @Test
    void areLoggedWhenThereAreSeveralInARow() {
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
            assertThat(log.events())
                    .singleElement()
                    .asString()
                    .contains(
                            "Listener orders: receives from orders-queue have empty responses too early, 5 in a row, the"
                                    + " last after 0 ms although wait-time is 2s",
                            "check the endpoint and the proxy");
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
        valve.change(options(valve.pollers())); // wakes the pollers, so that they look at the time
    }

    /** Waits until all pollers rest; fails if they call without a rest. */
    private void awaitRest() {
        Progress.whileMoving(
                this::calls,
                () -> calls() > 1_000
                        || pollers.stream().allMatch(poller -> poller.getState() == Thread.State.TIMED_WAITING));
        assertThat(calls()).isLessThanOrEqualTo(1_000);
    }

    private long calls() {
        return client.calls(Operation.RECEIVE);
    }

    private static ListenerOptions options(int pollers) {
        return ListenerOptions.builder("orders", "orders-queue")
                .concurrency(16)
                .waitTime(WAIT_TIME)
                .pollers(pollers, pollers)
                .build();
    }

    private void start(int number) {
        valve.change(options(number));
        valve.start(task -> pollers.add(Thread.ofPlatform().start(task)));
    }

    private Valve valve() {
        return Fetchers.handingOverTo(handedOver, new ListenerQueue(options(1), queue, LONG), client, time);
    }
}
