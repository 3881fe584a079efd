/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.events;

import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.support.GuardedEvents;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes application events on a virtual thread, which lives while there are events. Who reports one pays for an entry
 * of a queue; the queue holds at most one entry for each listener and kind of message that is counted.
 */
public final class ListenerEventPublisher {

    private static final Logger log = LoggerFactory.getLogger(ListenerEventPublisher.class);

    private final GuardedEvents<ListenerApplicationEvent<?>> receivers;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofVirtual().name("batchsqs-events").factory());

    /** Makes a publisher whose thread starts with the first event. */
    public ListenerEventPublisher(ApplicationEventPublisher publisher, TimeSource time) {
        this.receivers = new GuardedEvents<>(
                event -> publisher.publishEvent(event), log, "A listener of application events", time);
    }

    /**
     * Returns the events of a listener.
     *
     * @param listener the id of the listener
     * @param queue the name of its queue
     * @param client the name of its client
     */
    public ListenerEvents of(String listener, String queue, String client) {
        return new OfListener(listener, queue, client);
    }

    /** Blocks until the events that there are have been published, at most so long. An interrupt is kept, and ends it. */
    public void flush(Duration bound) {
        try {
            thread.submit(() -> {}).get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.debug("Application events were not published within {}", bound);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The rare events of one listener. */
    private final class OfListener implements ListenerEvents {

        private final String listener;
        private final String queue;
        private final String client;
        private final AtomicInteger leasesLost = new AtomicInteger();
        private final AtomicInteger deadLettered = new AtomicInteger();
        private final AtomicInteger acknowledgementsFailed = new AtomicInteger();

        OfListener(String listener, String queue, String client) {
            this.listener = listener;
            this.queue = queue;
            this.client = client;
        }

        @Override
        public void on(ListenerEvent event) {
            switch (event) {
                case ListenerEvent.Started one -> publish(one, () -> 1);
                case ListenerEvent.Stopped one -> publish(one, () -> 1);
                case ListenerEvent.ReceivesFailing one -> publish(one, () -> 1);
                case ListenerEvent.ReceivesRecovered one -> publish(one, () -> 1);
                case ListenerEvent.LeaseLost one -> count(one, leasesLost);
                case ListenerEvent.DeadLettered one -> count(one, deadLettered);
                case ListenerEvent.AcknowledgeFailed one -> count(one, acknowledgementsFailed);
                default -> {}
            }
        }

        /** The first message since the last event queues the next one, which counts those that follow until then. */
        private void count(ListenerEvent event, AtomicInteger messages) {
            if (messages.getAndIncrement() == 0) {
                publish(event, () -> messages.getAndSet(0));
            }
        }

        private void publish(ListenerEvent event, IntSupplier times) {
            thread.execute(() ->
                    receivers.accept(new ListenerApplicationEvent<>(listener, queue, client, event, times.getAsInt())));
        }
    }
}
