/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.TimeSource;
import io.github.batchsqs.client.ReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
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

    private static final long LONGEST_ANSWER = Duration.ofSeconds(1).toNanos();

    private final boolean fifo;
    private final long leaseNanos;
    private final InFlightLimit limit;
    private final TimeSource time;
    private final ConcurrentHashMap<String, Delivery> held = new ConcurrentHashMap<>();
    private final LongAdder settlements = new LongAdder();
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
     * <p>If it brought a message of a lane that is held here (its lease was lost) and new ones behind it, those may run only
     * if the held one passes, which is decided elsewhere at this moment: they go back.
     *
     * @param calledAt when the receive was called
     */
    public Received receive(List<ReceivedMessage> messages, long calledAt) {
        List<Delivery> toRun = new ArrayList<>(messages.size());
        List<Delivery> toDelete = new ArrayList<>(0);
        List<Delivery> toGiveBack = new ArrayList<>(0);
        Set<String> heldLanes = new HashSet<>(0);
        int refreshed = 0;
        int leasesLost = 0;
        long now = time.nanos();
        long leaseUntil = leaseBegan(calledAt, now) + leaseNanos;
        for (ReceivedMessage message : messages) {
            Delivery fresh = new Delivery(message, fifo ? message.groupId() : null, now, leaseUntil, settlements);
            Delivery known = held.putIfAbsent(message.id(), fresh);
            if (known != null) {
                leasesLost += known.refresh(message.receiptHandle(), leaseUntil, now) ? 1 : 0;
                if (known.lane() != null) {
                    heldLanes.add(known.lane());
                }
                refreshed++;
            } else if (wasHandled(message.id())) {
                toDelete.add(fresh);
            } else if (fresh.lane() != null && heldLanes.contains(fresh.lane())) {
                toGiveBack.add(fresh);
            } else {
                toRun.add(fresh);
            }
        }
        forget(toGiveBack);
        return new Received(toRun, toDelete, toGiveBack, refreshed, leasesLost);
    }

    /** SQS answers as soon as it has messages: a receive that took long waited for them before their leases began. */
    private long leaseBegan(long calledAt, long now) {
        return now - Math.min(now - calledAt, Math.min(LONGEST_ANSWER, leaseNanos / 4));
    }

    /** These are about to be given back: if they come again they are new, although their permits are still taken. */
    public void forget(Collection<Delivery> deliveries) {
        deliveries.forEach(delivery -> held.remove(delivery.message().id(), delivery));
    }

    /** These have left this process: their permits are free. Passes over those that had left before. */
    public void gone(Collection<Delivery> deliveries) {
        forget(deliveries);
        List<Delivery> leaving = deliveries.stream().filter(Delivery::leaves).toList();
        limit.release(leaving.size());
        leaving.forEach(Delivery::gone);
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

    /** How many messages have been settled so far, accepted by SQS or not yet. */
    long settledSoFar() {
        return settlements.sum();
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
     * @param toGiveBack new here, but behind one of their lane that was in flight here already; each holds a permit
     * @param refreshed how many were in flight here already; they hold no further permit
     * @param leasesLost how many of these had lost their lease without anybody noticing
     */
    public record Received(
            List<Delivery> toRun, List<Delivery> toDelete, List<Delivery> toGiveBack, int refreshed, int leasesLost) {

        /** How many of them are held from now on. */
        int kept() {
            return toRun.size() + toDelete.size() + toGiveBack.size();
        }
    }
}
