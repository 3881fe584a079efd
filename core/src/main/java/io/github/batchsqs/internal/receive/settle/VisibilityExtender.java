/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.SafeLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leases of all messages in flight, queued ones too: at half its timeout, counted from the earliest moment at
 * which SQS may have begun it, a lease is extended by a full timeout, in batches of ten, until {@code max-extension}
 * after the receive. The messages of a FIFO group are extended together, because an earlier one that becomes visible
 * would be delivered again while a later one is in flight.
 *
 * <p>Called by the container's extender thread, one call at a time.
 */
public final class VisibilityExtender {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(VisibilityExtender.class));
    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(5);
    private static final int LOOKS_PER_LEASE = 10;
    private static final Comparator<Delivery> SOONEST_END_FIRST =
            (one, other) -> Long.signum(one.leaseUntil() - other.leaseUntil());

    private final ListenerQueue source;
    private final InFlightLedger ledger;
    private final VisibilityChanger changer;

    VisibilityExtender(ListenerQueue source, InFlightLedger ledger, VisibilityChanger changer) {
        this.source = source;
        this.ledger = ledger;
        this.changer = changer;
    }

    /** How often {@link #tick} is to be called: ten times in a lease, and at least every five seconds. */
    public Duration interval() {
        Duration tenth = source.lease().dividedBy(LOOKS_PER_LEASE);
        return tenth.compareTo(LONGEST_INTERVAL) < 0 ? tenth : LONGEST_INTERVAL;
    }

    /** Extends what is due, and notices what ran out. */
    public void tick() {
        long now = source.time().nanos();
        List<Delivery> extendable = new ArrayList<>();
        List<Delivery> ranOut = new ArrayList<>(0);
        Set<@Nullable String> dueGroups = new HashSet<>();
        for (Delivery delivery : ledger.tracked()) {
            if (delivery.leaseLost(now)) {
                if (ranOut(delivery)) {
                    ranOut.add(delivery);
                }
            } else if (delivery.lostUnacknowledged()) {
                changer.expired(delivery, true); // its lease ran out, and a second receive brought it here
            } else if (mayBeExtended(delivery, now)) {
                extendable.add(delivery);
                if (isDue(delivery, now)) {
                    dueGroups.add(delivery.group());
                }
            }
        }
        extendable.removeIf(delivery ->
                !(isDue(delivery, now) || (delivery.group() != null && dueGroups.contains(delivery.group())))
                        || !delivery.beginHeartbeat());
        extendable.sort(SOONEST_END_FIRST);
        if (!extendable.isEmpty()) {
            changer.extend(extendable, source.lease());
        }
        if (!ranOut.isEmpty()) {
            log.warn(
                    "Listener {}: the lease of {} of {} ran out before the end of their handling; another instance may"
                            + " handle them too. If this recurs, raise visibility.timeout or visibility.max-extension",
                    source.listener(),
                    Accumulator.named(ranOut),
                    source.name());
        }
    }

    /** Returns whether the lease ran out unnoticed under a message that is still to be handled. */
    private boolean ranOut(Delivery delivery) {
        boolean news = delivery.unsettled() && delivery.loseLease();
        boolean awaited = delivery.awaitsManualSettlement();
        if (awaited) {
            changer.expired(delivery, false); // that is how an unacknowledged message returns
        }
        if (news) {
            source.events().on(new ListenerEvent.LeaseLost());
        }
        return news && !awaited;
    }

    private boolean isDue(Delivery delivery, long now) {
        return delivery.leaseAtLeastUntil() - now <= source.lease().toNanos() / 2;
    }

    private boolean mayBeExtended(Delivery delivery, long now) {
        long age = now - delivery.receivedAt();
        return delivery.unsettled()
                && age + source.lease().toNanos()
                        <= source.options().visibility().maxExtension().toNanos();
    }
}
