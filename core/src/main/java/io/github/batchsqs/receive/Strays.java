/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.receive.delivery.Delivery;
import io.github.batchsqs.receive.delivery.InFlightLedger;
import io.github.batchsqs.receive.delivery.ListenerQueue;
import io.github.batchsqs.receive.handoff.Dispatcher;
import io.github.batchsqs.receive.settle.Settler;
import io.github.batchsqs.support.EngineStage;
import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.slf4j.LoggerFactory;

/**
 * Returns messages to the queue that are in flight here although no stage has them. An error can be thrown at any line, for
 * example when the memory ends; thrown between two stages, the message would keep its permit and block its group for ever.
 *
 * <p>A message is a stray when it neither waits in the hand-off nor is in a batch that has a slot, and
 *
 * <ul>
 *   <li>nobody has claimed it for {@link #PATIENCE}, no message of its group is being settled (those behind a dead letter
 *       wait for it in no stage), and it does not wait for a manual acknowledgement: it returns to the queue;
 *   <li>or it has been claimed for {@link #PATIENCE} and a lease. A settlement ends with the lease, so this one got lost:
 *       the message is untracked, and its lease ends by itself.
 * </ul>
 *
 * <p>What waits behind a stray in its group returns too. A handler that runs keeps its messages, however long it takes.
 * Called by the container's extender thread, one call at a time.
 */
final class Strays {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ListenerContainer.class));

    /** No stage takes that long to pass a message on, on whatever machine. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ListenerQueue source;
    private final InFlightLedger ledger;
    private final Dispatcher dispatcher;
    private final Settler settler;
    private final ListenerEvents events;
    private final TimeSource time;
    private IdentityHashMap<Delivery, Suspect> suspects = new IdentityHashMap<>();
    private long lastTick;

    /** A message that was found in no stage. */
    private record Suspect(boolean claimed, long since) {}

    Strays(
            ListenerQueue source,
            InFlightLedger ledger,
            Dispatcher dispatcher,
            Settler settler,
            ListenerEvents events,
            TimeSource time) {
        this.source = source;
        this.ledger = ledger;
        this.dispatcher = dispatcher;
        this.settler = settler;
        this.events = events;
        this.time = time;
        this.lastTick = time.nanos();
    }

    /** Looks for strays. After a pause of the whole process, which its other threads had too, nothing is late yet. */
    void tick() {
        long now = time.nanos();
        boolean paused = now - lastTick >= PATIENCE.toNanos() / 2;
        lastTick = now;
        if (paused) {
            suspects = new IdentityHashMap<>();
            return;
        }
        int handedOver = dispatcher.repair(now - PATIENCE.toNanos());
        if (handedOver > 0) {
            report(handedOver + " batches had a slot and were not handed over, which happens now");
        }
        List<Delivery> old = inFlightForLong(now);
        if (old.isEmpty()) {
            suspects = new IdentityHashMap<>();
        } else {
            returnStrays(old, now);
        }
    }

    private void returnStrays(List<Delivery> old, long now) {
        IdentityHashMap<Delivery, Suspect> still = new IdentityHashMap<>();
        List<Delivery> claimed = new ArrayList<>();
        List<Delivery> settling = new ArrayList<>();
        dispatcher.forEachNotHere(old, delivery -> {
            Suspect suspect = suspect(delivery, now);
            if (now - suspect.since() < patience(suspect)) {
                still.put(delivery, suspect);
            } else if (suspect.claimed()) {
                settling.add(delivery);
            } else if (delivery.claim()) {
                claimed.add(delivery);
            }
        });
        suspects = still;
        int strays = claimed.size() + settling.size();
        if (strays > 0) {
            claimed.sort(Comparator.comparingLong(Delivery::number).reversed()); // the last of a group returns first
            settler.strayed(claimed, settling);
            report(strays
                    + " messages were in no stage; they return to the queue, with those behind them, now or when their"
                    + " visibility timeout ends");
        }
    }

    private Suspect suspect(Delivery delivery, long now) {
        boolean claimed = !delivery.unsettled();
        Suspect before = suspects.get(delivery);
        return before != null && before.claimed() == claimed ? before : new Suspect(claimed, now);
    }

    private long patience(Suspect suspect) {
        return PATIENCE.toNanos() + (suspect.claimed() ? source.lease().toNanos() : 0);
    }

    private List<Delivery> inFlightForLong(long now) {
        List<Delivery> old = new ArrayList<>();
        Set<String> settlingGroups = new HashSet<>();
        List<Delivery> all = new ArrayList<>(ledger.tracked());
        all.addAll(ledger.returning());
        for (Delivery delivery : all) {
            if (!delivery.unsettled() && delivery.group() != null) {
                settlingGroups.add(delivery.group());
            }
            if (now - delivery.receivedAt() >= PATIENCE.toNanos()) {
                old.add(delivery);
            }
        }
        old.removeIf(delivery -> delivery.unsettled()
                && (delivery.awaitsManualSettlement() || settlingGroups.contains(delivery.group())));
        return old;
    }

    private void report(String found) {
        IllegalStateException failure = new IllegalStateException(found);
        log.error("Listener {}: after an error of the engine, {}", source.listener(), found);
        events.on(new ListenerEvent.Unexpected(EngineStage.TIMER.text(), failure));
    }
}
