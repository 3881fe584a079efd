/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.Started;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.Stopped;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.context.event.EventListener;

class ListenerEventTests {

    private static final Started STARTED = new Started("orders", "orders-queue", "default");
    private static final Stopped STOPPED = new Stopped("orders", "orders-queue", "default");

    private final LinkedBlockingQueue<Object> published = new LinkedBlockingQueue<>();
    private final TimeSource time = TimeSource.system();
    private final ListenerEventPublisher publisher = new ListenerEventPublisher(published::add, time);
    private final ListenerEvents events = publisher.of("orders", "orders-queue", "default");

    @Test
    void beansHearOfTheStartAndTheStopOfAListener() {
        var hearer = new Hearer();
        Contexts.embedded()
                .withPropertyValues("batchsqs.embedded.queues=orders", "batchsqs.listener.wait-time=1s")
                .withBean(Handler.class)
                .withBean(Hearer.class, () -> hearer)
                .run(context -> {
                    assertThat(Progress.take(hearer.heard))
                            .isEqualTo(new ListenerApplicationEvent.Started("orders", "orders", "default"));
                    context.getBean(ListenerContainers.class).stop();
                    assertThat(Progress.take(hearer.heard))
                            .isEqualTo(new ListenerApplicationEvent.Stopped("orders", "orders", "default"));
                });
    }

    @Test
    void anOutageOfReceivesHasABeginningAndAnEnd() {
        events.on(new ListenerEvent.ApiCall("ReceiveMessage", 0, Duration.ofMillis(10), "ServiceUnavailable"));
        events.on(new ListenerEvent.ReceivesFailing("ServiceUnavailable"));
        events.on(new ListenerEvent.ReceivesRecovered(Duration.ofSeconds(7)));

        publisher.flush(Duration.ofMinutes(1));
        assertThat(published)
                .containsExactly(
                        new ListenerApplicationEvent.ReceivesFailing(
                                "orders", "orders-queue", "default", "ServiceUnavailable"),
                        new ListenerApplicationEvent.ReceivesRecovered(
                                "orders", "orders-queue", "default", Duration.ofSeconds(7)));
    }

    @Test
    void aSlowHearerDelaysNoMessageAndGetsTheirNumber() throws Exception {
        var busy = new CountDownLatch(1);
        var mayGoOn = new CountDownLatch(1);
        var slow = new ListenerEventPublisher(
                event -> {
                    busy.countDown();
                    Progress.await(mayGoOn);
                    published.add(event);
                },
                time);
        ListenerEvents reported = slow.of("orders", "orders-queue", "default");
        reported.on(new ListenerEvent.Started());
        Progress.await(busy);
        for (int i = 0; i < 1_000; i++) {
            reported.on(new ListenerEvent.DeadLettered());
            reported.on(new ListenerEvent.LeaseLost());
        }
        reported.on(new ListenerEvent.AcknowledgeFailed());
        mayGoOn.countDown();
        slow.flush(Duration.ofMinutes(1));

        assertThat(published)
                .containsExactly(
                        STARTED,
                        new ListenerApplicationEvent.DeadLettered("orders", "orders-queue", "default", 1_000),
                        new ListenerApplicationEvent.LeasesLost("orders", "orders-queue", "default", 1_000),
                        new ListenerApplicationEvent.AcknowledgementsFailed("orders", "orders-queue", "default", 1));
    }

    @Test
    void aHearerThatThrowsHearsTheNextEvent() {
        var thrown = new AtomicBoolean();
        var throwing = new ListenerEventPublisher(
                event -> {
                    if (thrown.compareAndSet(false, true)) {
                        throw new AssertionError("by intention");
                    }
                    published.add(event);
                },
                time);
        ListenerEvents reported = throwing.of("orders", "orders-queue", "default");
        reported.on(new ListenerEvent.Started());
        reported.on(new ListenerEvent.Stopped());
        throwing.flush(Duration.ofMinutes(1));

        assertThat(published).containsExactly(STOPPED);
    }

    static class Handler {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class Hearer {
        final LinkedBlockingQueue<ListenerApplicationEvent> heard = new LinkedBlockingQueue<>();

        @EventListener
        void on(ListenerApplicationEvent event) {
            heard.add(event);
        }
    }
}
