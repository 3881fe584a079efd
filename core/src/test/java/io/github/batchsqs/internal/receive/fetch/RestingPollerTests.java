/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A poller that rests between receives at a steady rate. */
class RestingPollerTests {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration WINDOW = Duration.ofNanos(ReceiveSpacing.WINDOW);
    private static final Duration REST = Duration.ofNanos(ReceiveSpacing.LONGEST);

    private final SettableTime time = new SettableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(time);
    private final LinkedBlockingQueue<String> handedOver = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Queue queue = client.createQueue("orders");
    private final ListenerOptions options = options().build();
    private final Valve valve =
            Fetchers.handingOverTo(handedOver, new ListenerQueue(options, queue, LONG), client, time);

    @AfterEach
    void stopPolling() {
        valve.stop(Duration.ZERO);
    }

    @Test
    void receivesAgainWhenItHasRested() {
        receiveUntilItMayRest();
        long calls = calls();
        awaitRest();
        client.put(queue, "next");
        time.advance(REST);
        valve.change(options); // wakes it, so that it looks at the time
        assertThat(Progress.take(handedOver)).isEqualTo("next");
        assertThat(calls()).isGreaterThan(calls);
    }

    /** Eleven messages in a tenth of a second, and one more: the next receive may begin in 20 ms. */
    private void receiveUntilItMayRest() {
        client.longPolling(true);
        valve.start(task -> threads.add(Thread.ofPlatform().start(task)));
        Progress.until(() -> state() == Thread.State.WAITING);
        put("a", "b");
        awaitReceive();
        time.advance(WINDOW);
        put("c", "d", "e", "f", "g", "h", "i", "j", "k");
        awaitReceive();
        put("l");
    }

    private void put(String... bodies) {
        client.put(queue, bodies);
        for (String body : bodies) {
            assertThat(Progress.take(handedOver)).isEqualTo(body);
        }
    }

    /** Waits until the receive is open, which takes the next messages all at once. */
    private void awaitReceive() {
        Progress.until(() -> state() == Thread.State.WAITING);
    }

    private void awaitRest() {
        Progress.until(() -> state() == Thread.State.TIMED_WAITING);
    }

    private Thread.State state() {
        return threads.getLast().getState();
    }

    private long calls() {
        return client.calls(Operation.RECEIVE);
    }

    private static ListenerOptions.Builder options() {
        return ListenerOptions.builder("orders", "orders").concurrency(16).pollers(1, 2);
    }
}
