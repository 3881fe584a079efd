/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OrdersHandler;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.context.event.EventListener;

class ListenerEventTests {

    private static final ListenerEvent STARTED = new ListenerEvent.Started();
    private static final ListenerEvent STOPPED = new ListenerEvent.Stopped();

    private final LinkedBlockingQueue<Object> published = new LinkedBlockingQueue<>();
    private final TimeSource time = TimeSource.system();
    private final ListenerEventPublisher publisher = new ListenerEventPublisher(published::add, time);
    private final ListenerEvents events = publisher.of("orders", "orders-queue", "default");

    @Test
    void beansHearOfTheStartAndTheStopOfAListener() {
        var hearer = new Hearer();
        Contexts.embedded()
                .withPropertyValues("batchsqs.embedded.queues=orders", "batchsqs.listener.wait-time=1s")
                .withBean(OrdersHandler.class)
                .withBean(Hearer.class, () -> hearer)
                .run(context -> {
                    assertThat(Progress.take(hearer.heard))
                            .isEqualTo(new ListenerApplicationEvent<>("orders", "orders", "default", STARTED, 1));
                    context.getBean(ListenerContainers.class).stop();
                    assertThat(Progress.take(hearer.heard))
                            .isEqualTo(new ListenerApplicationEvent<>("orders", "orders", "default", STOPPED, 1));
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
                        published(new ListenerEvent.ReceivesFailing("ServiceUnavailable"), 1),
                        published(new ListenerEvent.ReceivesRecovered(Duration.ofSeconds(7)), 1));
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
                        published(STARTED, 1),
                        published(new ListenerEvent.DeadLettered(), 1_000),
                        published(new ListenerEvent.LeaseLost(), 1_000),
                        published(new ListenerEvent.AcknowledgeFailed(), 1));
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

        assertThat(published).containsExactly(published(STOPPED, 1));
    }

    private static ListenerApplicationEvent<ListenerEvent> published(ListenerEvent event, int times) {
        return new ListenerApplicationEvent<>("orders", "orders-queue", "default", event, times);
    }

    static class Hearer {
        final LinkedBlockingQueue<ListenerApplicationEvent<?>> heard = new LinkedBlockingQueue<>();

        @EventListener
        void onStart(ListenerApplicationEvent<ListenerEvent.Started> event) {
            heard.add(event);
        }

        @EventListener
        void onStop(ListenerApplicationEvent<ListenerEvent.Stopped> event) {
            heard.add(event);
        }
    }
}
