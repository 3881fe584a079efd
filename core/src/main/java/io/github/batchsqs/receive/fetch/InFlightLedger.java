/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.TimeSource;
import io.github.batchsqs.client.ReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Knows each message that is in flight here, by id.
 *
 * <p>SQS may deliver a message again while it is still held: the second receive then only brings a newer receipt handle and
 * a new lease, and the message is not run twice at once. A message that was handled but whose delete failed for good is
 * remembered; when it comes again it is to be deleted, not run. That memory holds the last {@value #REMEMBERED} such
 * messages; one that is forgotten runs again (at least once).
 *
 * <p>Safe for use by any thread.
 */
public final class InFlightLedger {

    static final int REMEMBERED = 10_000;

    private final boolean fifo;
    private final long leaseNanos;
    private final InFlightLimit limit;
    private final TimeSource time;
    private final ConcurrentHashMap<String, Delivery> held = new ConcurrentHashMap<>();
    private final AtomicLong gone = new AtomicLong();
    private final ReentrantLock handledLock = new ReentrantLock();
    private final Set<String> handled = new LinkedHashSet<>();

    /**
     * Makes an empty ledger.
     *
     * @param fifo whether a message's group is its lane
     * @param lease the visibility timeout of a receive
     * @param limit gets a message's permit back when it is gone
     */
    public InFlightLedger(boolean fifo, Duration lease, InFlightLimit limit, TimeSource time) {
        this.fifo = fifo;
        this.leaseNanos = lease.toNanos();
        this.limit = limit;
        this.time = time;
    }

    /**
     * Takes what a receive brought.
     *
     * @param calledAt when the receive was called: the lease may have begun then
     */
    public Received receive(List<ReceivedMessage> messages, long calledAt) {
        List<Delivery> toRun = new ArrayList<>(messages.size());
        List<Delivery> toDelete = new ArrayList<>(0);
        int refreshed = 0;
        long now = time.nanos();
        for (ReceivedMessage message : messages) {
            Delivery fresh = new Delivery(message, fifo ? message.groupId() : null, now, calledAt + leaseNanos);
            Delivery known = held.putIfAbsent(message.id(), fresh);
            if (known != null) {
                known.refresh(message.receiptHandle(), calledAt + leaseNanos);
                refreshed++;
            } else if (wasHandled(message.id())) {
                toDelete.add(fresh);
            } else {
                toRun.add(fresh);
            }
        }
        return new Received(toRun, toDelete, refreshed);
    }

    /** These are about to be given back: if they come again they are new, although their permits are still taken. */
    public void forget(Collection<Delivery> deliveries) {
        deliveries.forEach(delivery -> held.remove(delivery.message().id(), delivery));
    }

    /** These have left this process: their permits are free. Called once for each delivery. */
    public void gone(Collection<Delivery> deliveries) {
        forget(deliveries);
        gone.addAndGet(deliveries.size());
        limit.release(deliveries.size());
        deliveries.forEach(Delivery::gone);
    }

    /** The message was handled, but SQS did not accept its delete: if it comes again it is deleted, not run. */
    public void rememberHandled(Delivery delivery) {
        handledLock.lock();
        try {
            handled.add(delivery.message().id());
            if (handled.size() > REMEMBERED) {
                Iterator<String> oldest = handled.iterator();
                oldest.next();
                oldest.remove();
            }
        } finally {
            handledLock.unlock();
        }
    }

    /** How many messages have left this process so far. */
    long goneSoFar() {
        return gone.get();
    }

    /** The messages held at this moment. */
    public Collection<Delivery> held() {
        return held.values();
    }

    /** How many messages are held. */
    public int size() {
        return held.size();
    }

    private boolean wasHandled(String id) {
        handledLock.lock();
        try {
            return !handled.isEmpty() && handled.remove(id);
        } finally {
            handledLock.unlock();
        }
    }

    /**
     * What a receive brought.
     *
     * @param toRun new here; each holds a permit
     * @param toDelete handled before, to be deleted again; each holds a permit
     * @param refreshed how many were in flight here already; they hold no further permit
     */
    public record Received(List<Delivery> toRun, List<Delivery> toDelete, int refreshed) {}
}
