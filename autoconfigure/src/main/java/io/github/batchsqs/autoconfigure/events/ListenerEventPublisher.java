/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.events;

import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.support.EventFailures;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes application events on a virtual thread, which lives while there are events. Who reports one pays for an entry
 * of a queue; the queue holds at most one entry for each listener and kind of message that is counted.
 */
public final class ListenerEventPublisher {

    private static final Logger log = LoggerFactory.getLogger(ListenerEventPublisher.class);

    private final ApplicationEventPublisher publisher;
    private final TimeSource time;
    private final EventFailures failures;
    private final Queue<Supplier<@Nullable ListenerEvent>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private volatile @Nullable Thread publishing;

    /** Makes a publisher whose thread starts with the first event. */
    public ListenerEventPublisher(ApplicationEventPublisher publisher, TimeSource time) {
        this.publisher = publisher;
        this.time = time;
        this.failures = new EventFailures(log, "A listener of application events", time);
    }

    /**
     * Returns the events of a listener.
     *
     * @param listener the id of the listener
     * @param queueName the name of its queue
     */
    public ListenerEvents of(String listener, String queueName) {
        return new PublishedEvents(this, listener, queueName, time);
    }

    /** Publishes an event soon, of which the supplier knows then; {@code null} for none. */
    void publish(Supplier<@Nullable ListenerEvent> event) {
        queue.add(event);
        if (pending.getAndIncrement() == 0) {
            Thread.ofVirtual().name("batchsqs-events").start(this::drain);
        }
    }

    private void drain() {
        publishing = Thread.currentThread();
        do {
            publishNext();
        } while (pending.decrementAndGet() > 0);
    }

    private void publishNext() {
        try {
            Supplier<@Nullable ListenerEvent> next = queue.poll();
            ListenerEvent event = next == null ? null : next.get();
            if (event != null) {
                publisher.publishEvent(event);
            }
        } catch (Throwable e) { // an event changes nothing
            failures.record("event", e);
        }
    }

    /** Blocks until the events that there are have been published, at most so long. An interrupt is kept, and ends it. */
    public void flush(Duration bound) {
        if (pending.get() == 0 || Thread.currentThread().equals(publishing)) {
            return;
        }
        var published = new CompletableFuture<Void>();
        publish(() -> {
            published.complete(null);
            return null;
        });
        try {
            published.get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            log.debug("Application events were not published within {}", bound);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Publishing does not fail", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
