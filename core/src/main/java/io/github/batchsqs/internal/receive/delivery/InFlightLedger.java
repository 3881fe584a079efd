/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Locked;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Knows each message that is in flight here, by id.
 *
 * <p>SQS may deliver a message again while it is still in flight here: the second receive then only brings a newer receipt handle and
 * a new lease, and the message is not run twice at once. A message that was handled is remembered, see {@link HandledMessages}; when
 * it comes again it is to be deleted, not run.
 *
 * <p>Safe for use by any thread.
 */
public final class InFlightLedger {

    private static final long LONGEST_RESPONSE = Duration.ofSeconds(1).toNanos();

    private final boolean fifo;
    private final long leaseNanos;
    private final InFlightLimit limit;
    private final TimeSource time;
    private final Consumer<List<Delivery>> onUntracked;
    private final LongAdder settlements = new LongAdder();
    private final AtomicLong received = new AtomicLong();

    /** Guards those below. It is taken once for all messages of a call. */
    private final ReentrantLock lock = new EngineLock();

    /** Without those on their way back to the queue, which have their permits and are treated as new. */
    private final Map<String, Delivery> tracked = new HashMap<>();

    private final HandledMessages handled;

    /**
     * Makes an empty ledger.
     *
     * @param fifo whether messages have groups
     * @param lease the visibility timeout of a receive
     * @param limit gets a message's permit when it is untracked
     * @param onUntracked notified of messages of a FIFO queue when they are untracked, of each once
     */
    public InFlightLedger(
            boolean fifo, Duration lease, InFlightLimit limit, TimeSource time, Consumer<List<Delivery>> onUntracked) {
        this.onUntracked = onUntracked;
        this.fifo = fifo;
        this.leaseNanos = lease.toNanos();
        this.limit = limit;
        this.time = time;
        this.handled = new HandledMessages(leaseNanos);
    }

    /**
     * Takes what a receive brought.
     *
     * <p>If it brought a message of a group that is in flight here (its lease was lost) and new ones behind it, those may run only
     * if the one in flight passes, which is decided elsewhere at this moment: they return to the queue.
     *
     * <p>If a message cannot be read, none of the new ones is in flight here.
     *
     * @param calledAt when the receive was called
     * @param waitTime how long the receive could wait for messages
     */
    public Received receive(List<ReceivedMessage> messages, long calledAt, Duration waitTime) {
        long now = time.nanos();
        List<Delivery> deliveries = deliveries(messages, now);
        return Locked.get(lock, () -> receive(deliveries, calledAt, waitTime, now));
    }

    private Received receive(List<Delivery> deliveries, long calledAt, Duration waitTime, long now) {
        List<Delivery> toRun = new ArrayList<>(deliveries.size());
        List<Delivery> toDelete = new ArrayList<>(0);
        List<Delivery> toReturn = new ArrayList<>(0);
        Set<String> heldGroups = new HashSet<>(0);
        int leasesLost = 0;
        long leaseUntil = leaseBegan(calledAt, waitTime, now) + leaseNanos;
        long leaseAtLeastUntil = calledAt + leaseNanos;
        for (Delivery fresh : deliveries) {
            fresh.leased(leaseUntil, leaseAtLeastUntil);
            Delivery known = tracked.putIfAbsent(fresh.message().id(), fresh);
            if (known != null) {
                leasesLost += known.refresh(fresh, now) ? 1 : 0;
                if (known.group() != null) {
                    heldGroups.add(known.group());
                }
            } else if (handled.contains(fresh, now)) {
                toDelete.add(fresh);
            } else if (fresh.group() != null && heldGroups.contains(fresh.group())) {
                toReturn.add(fresh);
            } else {
                toRun.add(fresh);
            }
        }
        removeFromTracked(toReturn);
        return new Received(toRun, toDelete, toReturn, leasesLost);
    }

    /** Reads what is read of each message before any is tracked, so that one that cannot be read leaves none behind. */
    private List<Delivery> deliveries(List<ReceivedMessage> messages, long now) {
        List<Delivery> deliveries = new ArrayList<>(messages.size());
        long number = received.getAndAdd(messages.size());
        for (ReceivedMessage message : messages) {
            Objects.requireNonNull(message.id());
            deliveries.add(new Delivery(message, fifo ? message.groupId() : null, now, number++, settlements));
        }
        return deliveries;
    }

    /**
     * Returns when the leases began. SQS responds as soon as it has messages, so a receive that took long has probably waited
     * before their leases began. It waits no longer than it was asked to: if it took longer, the response was late.
     */
    private long leaseBegan(long calledAt, Duration waitTime, long now) {
        long responded = now - Math.min(now - calledAt, Math.min(LONGEST_RESPONSE, leaseNanos / 4));
        long waited = calledAt + waitTime.toNanos();
        return responded - waited < 0 ? responded : waited;
    }

    /** Treats messages as new if they come again, although they hold their permits: they are about to return to the queue. */
    public void treatAsNew(Collection<Delivery> deliveries) {
        Locked.run(lock, () -> removeFromTracked(deliveries));
    }

    private void removeFromTracked(Collection<Delivery> deliveries) {
        deliveries.forEach(delivery -> tracked.remove(delivery.message().id(), delivery));
    }

    /** Untracks messages: their permits are free. Passes over those that are untracked already. */
    public void untrack(Collection<Delivery> deliveries) {
        untrack(deliveries, () -> {});
    }

    /** Untracks messages whose deletes SQS has accepted, and remembers them for a while. */
    public void deleted(Collection<Delivery> deliveries) {
        untrack(deliveries, () -> handled.deleted(deliveries, time.nanos()));
    }

    /** Untracks messages that were handled, but whose deletes SQS did not accept, and remembers them. */
    public void notDeleted(Collection<Delivery> deliveries) {
        untrack(deliveries, () -> handled.notDeleted(deliveries, time.nanos()));
    }

    private void untrack(Collection<Delivery> deliveries, Runnable remember) {
        List<Delivery> untracked =
                new ArrayList<>(deliveries.size()); // first: it may throw, and no permit may be missing
        Locked.run(lock, () -> {
            remember.run();
            removeFromTracked(deliveries);
            for (Delivery delivery : deliveries) {
                if (delivery.untrack()) {
                    untracked.add(delivery);
                }
            }
        });
        limit.releaseReceived(untracked.size(), bytes(untracked));
        if (fifo && !untracked.isEmpty()) {
            onUntracked.accept(untracked);
        }
    }

    static long bytes(List<Delivery> deliveries) {
        long bytes = 0;
        for (Delivery delivery : deliveries) {
            bytes += delivery.bytes();
        }
        return bytes;
    }

    /** How many messages have been settled so far, accepted by SQS or not yet. */
    public long settledSoFar() {
        return settlements.sum();
    }

    /** The messages in flight at this moment, without those on their way back to the queue. */
    public List<Delivery> tracked() {
        return Locked.get(lock, () -> List.copyOf(tracked.values()));
    }

    /** How many messages are in flight. */
    public int size() {
        return Locked.get(lock, tracked::size);
    }

    /**
     * What a receive brought.
     *
     * @param toRun new here; each holds a permit
     * @param toDelete handled before, to be deleted again; each holds a permit
     * @param toReturn new here, but behind one of their group that was in flight here already; each holds a permit
     * @param leasesLost how many were in flight here already, which hold no further permit, and had lost their lease
     * without anybody noticing
     */
    public record Received(List<Delivery> toRun, List<Delivery> toDelete, List<Delivery> toReturn, int leasesLost) {

        /** How many of them are in flight from now on. */
        public int kept() {
            return toRun.size() + toDelete.size() + toReturn.size();
        }

        /** How many bytes these have. */
        public long bytes() {
            return InFlightLedger.bytes(toRun) + InFlightLedger.bytes(toDelete) + InFlightLedger.bytes(toReturn);
        }
    }
}
