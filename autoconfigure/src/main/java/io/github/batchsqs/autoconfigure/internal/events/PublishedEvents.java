/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.events;

import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.AcknowledgementsFailed;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.DeadLettered;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.LeasesLost;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.ReceivesFailing;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.ReceivesRecovered;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.Started;
import io.github.batchsqs.autoconfigure.events.ListenerApplicationEvent.Stopped;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Makes application events of the rare events of one listener. While nothing fails, a call costs a volatile read. */
final class PublishedEvents implements ListenerEvents {

    private static final String RECEIVE = "ReceiveMessage";

    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final ListenerEventPublisher publisher;
    private final String listener;
    private final String queue;
    private final String client;
    private final TimeSource time;
    private final AtomicInteger leasesLost = new AtomicInteger();
    private final AtomicInteger deadLettered = new AtomicInteger();
    private final AtomicInteger acknowledgementsFailed = new AtomicInteger();

    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean failing;
    private boolean published;
    private boolean publishedBefore;
    private long publishedAt;
    private long failingSince;
    private long lastFailedAt;

    PublishedEvents(ListenerEventPublisher publisher, String listener, String queue, String client, TimeSource time) {
        this.publisher = publisher;
        this.listener = listener;
        this.queue = queue;
        this.client = client;
        this.time = time;
    }

    @Override
    public void on(ListenerEvent event) {
        switch (event) {
            case ListenerEvent.Started one -> started();
            case ListenerEvent.Stopped one -> stopped();
            case ListenerEvent.ApiCall call -> apiCall(call.operation(), call.took(), call.errorCode());
            case ListenerEvent.LeaseLost one -> leaseLost();
            case ListenerEvent.DeadLettered one -> deadLettered();
            case ListenerEvent.AcknowledgeFailed one -> acknowledgeFailed();
            case ListenerEvent.Received counted -> {}
            case ListenerEvent.Invoking counted -> {}
            case ListenerEvent.Invoked counted -> {}
            case ListenerEvent.ConversionFailed counted -> {}
            case ListenerEvent.Acknowledged counted -> {}
            case ListenerEvent.Released counted -> {}
            case ListenerEvent.LeaseExtended counted -> {}
            case ListenerEvent.Failed counted -> {}
            case ListenerEvent.Unexpected counted -> {}
            case ListenerEvent.Restarting counted -> {}
            case ListenerEvent.Removed counted -> {}
        }
    }

    private void started() {
        publisher.publish(() -> new Started(listener, queue, client));
    }

    /** The outage ends here, not with the next start: receives of the next run may fail before its start is reported. */
    private void stopped() {
        lock.lock();
        try {
            failing = false;
        } finally {
            lock.unlock();
        }
        publisher.publish(() -> new Stopped(listener, queue, client));
    }

    private void apiCall(String operation, Duration took, @Nullable String errorCode) {
        if (errorCode != null) {
            if (operation.equals(RECEIVE)) {
                receiveFailed(errorCode, took);
            }
        } else if (failing && operation.equals(RECEIVE)) {
            receiveSucceeded(took);
        }
    }

    private void receiveFailed(String errorCode, Duration took) {
        lock.lock();
        try {
            long now = time.nanos();
            lastFailedAt = now;
            if (!failing) {
                failing = true;
                failingSince =
                        errorCode.equals(SqsErrors.NO_RESPONSE) ? now - took.toNanos() : now; // as the log counts
                published = false;
            }
            if (!published && (!publishedBefore || now - publishedAt >= INTERVAL_NANOS)) {
                published = true;
                publishedBefore = true;
                publishedAt = now;
                publisher.publish(() -> new ReceivesFailing(listener, queue, client, errorCode));
            }
        } finally {
            lock.unlock();
        }
    }

    /** A receive that was under way when the last one failed does not show that SQS is back. */
    private void receiveSucceeded(Duration took) {
        lock.lock();
        try {
            long now = time.nanos();
            if (!failing || now - took.toNanos() - lastFailedAt < 0) {
                return;
            }
            failing = false;
            if (published) {
                Duration failedFor = Duration.ofNanos(now - failingSince);
                publisher.publish(() -> new ReceivesRecovered(listener, queue, client, failedFor));
            }
        } finally {
            lock.unlock();
        }
    }

    private void leaseLost() {
        count(leasesLost, messages -> new LeasesLost(listener, queue, client, messages));
    }

    private void deadLettered() {
        count(deadLettered, messages -> new DeadLettered(listener, queue, client, messages));
    }

    private void acknowledgeFailed() {
        count(acknowledgementsFailed, messages -> new AcknowledgementsFailed(listener, queue, client, messages));
    }

    /** The first message since the last event queues the next one, which counts those that follow until then. */
    private void count(AtomicInteger messages, IntFunction<ListenerApplicationEvent> event) {
        if (messages.getAndIncrement() == 0) {
            publisher.publish(() -> event.apply(messages.getAndSet(0)));
        } else {
            publisher.publishQueued(); // if there was no thread for it
        }
    }
}
