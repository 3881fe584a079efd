/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.settle;

import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.InFlightLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Keeps the leases of all messages that are held, queued ones too: at half its timeout a lease is extended by a full
 * timeout, in batches of ten, until {@code max-extension} after the receive. The messages of a FIFO group are extended
 * together, because an earlier one that becomes visible would be delivered again while a later one is held.
 *
 * <p>Called by the container's extender thread, one call at a time.
 */
public final class VisibilityExtender {

    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(5);
    private static final int LOOKS_PER_LEASE = 10;

    private final SettleSettings settings;
    private final InFlightLedger ledger;
    private final Settler settler;
    private final Calls calls;

    public VisibilityExtender(SettleSettings settings, InFlightLedger ledger, Settler settler, Calls calls) {
        this.settings = settings;
        this.ledger = ledger;
        this.settler = settler;
        this.calls = calls;
    }

    /** How often {@link #tick} is to be called: ten times in a lease, and at least every five seconds. */
    public Duration interval() {
        Duration tenth = settings.lease().dividedBy(LOOKS_PER_LEASE);
        return tenth.compareTo(LONGEST_INTERVAL) < 0 ? tenth : LONGEST_INTERVAL;
    }

    /** Extends what is due, and notices what ran out. */
    public void tick() {
        long now = calls.time().nanos();
        List<Delivery> due = new ArrayList<>();
        Set<String> dueLanes = new HashSet<>();
        for (Delivery delivery : ledger.held()) {
            if (delivery.leaseLost(now)) {
                ranOut(delivery);
            } else if (delivery.leftToHand() && delivery.everLost()) {
                settler.forgottenByHand(delivery, true); // its lease ran out, and a second receive brought it here
            } else if (isDue(delivery, now)) {
                due.add(delivery);
                if (delivery.lane() != null) {
                    dueLanes.add(delivery.lane());
                }
            }
        }
        if (!dueLanes.isEmpty()) {
            addRestOfLanes(due, dueLanes, now);
        }
        due.removeIf(delivery -> !delivery.tryExtend());
        if (!due.isEmpty()) {
            settler.extend(due, settings.lease());
        }
    }

    private void addRestOfLanes(List<Delivery> due, Set<String> lanes, long now) {
        for (Delivery delivery : ledger.held()) {
            if (delivery.lane() != null
                    && lanes.contains(delivery.lane())
                    && !delivery.leaseLost(now)
                    && mayBeExtended(delivery, now)
                    && !isDue(delivery, now)) {
                due.add(delivery);
            }
        }
    }

    private void ranOut(Delivery delivery) {
        if (delivery.unsettled() && delivery.loseLease()) {
            calls.events().leaseLost();
        }
        if (delivery.leftToHand()) {
            settler.forgottenByHand(delivery, false);
        }
    }

    private boolean isDue(Delivery delivery, long now) {
        long half = settings.lease().toNanos() / 2;
        return mayBeExtended(delivery, now) && delivery.leaseUntil() - now <= half;
    }

    private boolean mayBeExtended(Delivery delivery, long now) {
        long held = now - delivery.receivedAt();
        return settings.extend()
                && delivery.unsettled()
                && held + settings.lease().toNanos() <= settings.maxExtension().toNanos();
    }
}
