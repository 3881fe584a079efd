/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.events;

import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.support.EventFailures;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** The application's beans get their events as long as they are there, but slow ones must not delay the stop. */
    private static final Duration FLUSH_AT_STOP = Duration.ofSeconds(1);

    private final ApplicationEventPublisher publisher;
    private final TimeSource time;
    private final EventFailures failures;
    private final EventFailures threadFailures;
    private final Queue<Supplier<@Nullable ListenerApplicationEvent>> queue = new ConcurrentLinkedQueue<>();
    private final Executor threads;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile @Nullable Thread publishing;

    /** Makes a publisher whose thread starts with the first event. */
    public ListenerEventPublisher(ApplicationEventPublisher publisher, TimeSource time) {
        this(publisher, time, task -> Thread.ofVirtual().name("batchsqs-events").start(task));
    }

    /** @param threads runs a task on a thread of its own */
    ListenerEventPublisher(ApplicationEventPublisher publisher, TimeSource time, Executor threads) {
        this.publisher = publisher;
        this.time = time;
        this.threads = threads;
        this.failures = new EventFailures(log, "A listener of application events", time);
        this.threadFailures = new EventFailures(log, "The thread of application events", time);
    }

    /**
     * Returns the events of a listener.
     *
     * @param listener the id of the listener
     * @param queueName the name of its queue
     * @param client the name of its client
     */
    public ListenerEvents of(String listener, String queueName, String client) {
        return new PublishedEvents(this, listener, queueName, client, time);
    }

    /** Publishes an event soon, of which the supplier knows then; {@code null} for none. */
    void publish(Supplier<@Nullable ListenerApplicationEvent> event) {
        queue.add(event);
        publishQueued();
    }

    /** Starts to publish unless that is done already. Without a thread the events wait for the next call. */
    void publishQueued() {
        if (!busy.get() && !queue.isEmpty() && busy.compareAndSet(false, true)) {
            try {
                threads.execute(this::drain);
            } catch (Throwable e) { // no thread, for example: an event changes nothing
                busy.set(false);
                threadFailures.record("start", e);
            }
        }
    }

    private void drain() {
        do {
            publishing = Thread.currentThread();
            try {
                for (var next = queue.poll(); next != null; next = queue.poll()) {
                    publishNow(next);
                }
            } finally {
                busy.set(false);
            }
        } while (!queue.isEmpty() && busy.compareAndSet(false, true));
    }

    private void publishNow(Supplier<@Nullable ListenerApplicationEvent> next) {
        try {
            ListenerApplicationEvent event = next.get();
            if (event != null) {
                publisher.publishEvent(event);
            }
        } catch (Throwable e) { // an event changes nothing
            failures.record("event", e);
        }
    }

    /** Blocks until the events that there are have been published, for at most a second. An interrupt is kept, and ends it. */
    public void flushAtStop() {
        flush(FLUSH_AT_STOP);
    }

    /** Blocks until the events that there are have been published, at most so long. An interrupt is kept, and ends it. */
    void flush(Duration bound) {
        boolean idle = queue.isEmpty() && !busy.get();
        if (idle || Thread.currentThread().equals(publishing)) {
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
