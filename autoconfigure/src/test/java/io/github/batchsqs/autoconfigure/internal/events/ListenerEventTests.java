/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.ReceivesFailing;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.ReceivesRecovered;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.Started;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.Stopped;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.event.EventListener;

class ListenerEventTests {

    private static final String RECEIVE = "ReceiveMessage";

    private static final Started STARTED = new Started("orders", "orders-queue", "default");
    private static final Stopped STOPPED = new Stopped("orders", "orders-queue", "default");

    private final LinkedBlockingQueue<Object> published = new LinkedBlockingQueue<>();
    private final StandingTime time = new StandingTime();
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
    void anOutageOfReceivesHasABeginningAndAnEnd() throws Exception {
        received(Duration.ofMillis(10), null);
        events.on(new ListenerEvent.ApiCall("DeleteMessageBatch", 1, Duration.ofMillis(10), "InternalError"));
        received(Duration.ofMillis(10), "ServiceUnavailable");
        time.advance(Duration.ofSeconds(5));
        received(Duration.ofMillis(10), "UnknownHost");
        received(Duration.ofSeconds(6), null); // began before
        time.advance(Duration.ofSeconds(2));
        received(Duration.ofSeconds(1), null);

        assertThat(Progress.take(published)).isEqualTo(failing("ServiceUnavailable"));
        assertThat(Progress.take(published)).isEqualTo(recovered(Duration.ofSeconds(7)));
        publisher.flush(Duration.ofMinutes(1));
        assertThat(published).isEmpty();
    }

    /** The log counts from the beginning of the silence, too. */
    @Test
    void anOutageWithoutAResponseBeganWithTheSilence() throws Exception {
        received(Duration.ofSeconds(25), "NoResponse");
        time.advance(Duration.ofSeconds(35));
        received(Duration.ofSeconds(1), null);

        publisher.flush(Duration.ofMinutes(1));
        assertThat(published).endsWith(recovered(Duration.ofSeconds(60)));
    }

    @Test
    void aStopForgetsTheOutageOfItsRun() throws Exception {
        received(Duration.ZERO, "ServiceUnavailable");
        events.on(new ListenerEvent.Stopped());
        publisher.flush(Duration.ofMinutes(1));
        published.clear();

        time.advance(Duration.ofHours(1));
        events.on(new ListenerEvent.Started());
        received(Duration.ZERO, null);
        received(Duration.ZERO, "UnknownHost");
        publisher.flush(Duration.ofMinutes(1));
        assertThat(published).containsExactly(STARTED, failing("UnknownHost"));
    }

    @Test
    void aReceiveThatFailsBeforeItsStartIsReportedBeginsAnOutageOfItsRunAlone() throws Exception {
        received(Duration.ZERO, "ServiceUnavailable");
        time.advance(Duration.ofSeconds(10));
        events.on(new ListenerEvent.Stopped());
        time.advance(Duration.ofHours(2));
        received(Duration.ZERO, "UnknownHost"); // pollers begin before the start is reported
        events.on(new ListenerEvent.Started());
        time.advance(Duration.ofSeconds(3));
        received(Duration.ofSeconds(1), null);
        publisher.flush(Duration.ofMinutes(1));
        assertThat(published)
                .containsExactly(
                        failing("ServiceUnavailable"),
                        STOPPED,
                        failing("UnknownHost"),
                        STARTED,
                        recovered(Duration.ofSeconds(3)));
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

    private void received(Duration took, @Nullable String errorCode) {
        events.on(new ListenerEvent.ApiCall(RECEIVE, 0, took, errorCode));
    }

    private static ReceivesFailing failing(String errorCode) {
        return new ReceivesFailing("orders", "orders-queue", "default", errorCode);
    }

    private static ReceivesRecovered recovered(Duration failedFor) {
        return new ReceivesRecovered("orders", "orders-queue", "default", failedFor);
    }

    /** Stands still until it is told to advance. */
    static final class StandingTime implements TimeSource {
        private long nanos;

        void advance(Duration duration) {
            nanos += duration.toNanos();
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }
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
