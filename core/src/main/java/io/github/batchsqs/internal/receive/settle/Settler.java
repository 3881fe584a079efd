/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Groups;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.ManualSettlement;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what is to become of messages: deletes, visibility changes and dead letters, each gathered into batches.
 *
 * <p>A message is settled once, by whoever claims it first ({@link Delivery#claim}); whoever comes later does nothing. On a FIFO queue
 * a message that returns to the queue or is untracked takes everything behind it in its group along, last first, and nothing behind it is
 * deleted.
 *
 * <p>Safe for use by any thread. Never blocks.
 */
public final class Settler {

    private final InFlightLedger ledger;
    private final Deleter deleter;
    private final VisibilityChanger changer;
    private final @Nullable DeadLetters deadLetters;
    private final @Nullable DeadLetters exhausted;
    private final Groups groups;
    private final Returns returns;
    private final ManualSettlements manual;
    private final VisibilityExtender extender;
    private final GroupSettlement.Context groupSettlements;
    private final Set<Batcher<?, ?>> batchers = new LinkedHashSet<>();
    private volatile boolean stopping;

    /**
     * Makes a settler.
     *
     * @param deadLetterQueue where messages go that are never to be handled, or {@code null} if they return to the queue
     * @param retries when a failed FIFO message is tried again here, or {@code null} if it always returns to the queue
     * @param groups the message groups on a FIFO queue
     */
    public Settler(
            ListenerQueue source,
            InFlightLedger ledger,
            @Nullable Queue deadLetterQueue,
            @Nullable InProcessRetries retries,
            Groups groups,
            Calls calls) {
        this.ledger = ledger;
        this.groups = groups;
        this.changer = new VisibilityChanger(source, calls, ledger);
        this.returns = new Returns(changer, ledger, groups);
        this.deleter = new Deleter(source, calls, ledger, returns::lost);
        this.manual = new ManualSettlements(deleter, changer, returns, calls.time());
        this.extender = new VisibilityExtender(source, ledger, changer, manual, calls);
        this.deadLetters = deadLetterQueue == null ? null : new DeadLetters(source, deadLetterQueue, calls, deleter);
        this.exhausted = retries == null || retries.deadLetterQueue().equals(deadLetterQueue)
                ? deadLetters
                : new DeadLetters(source, retries.deadLetterQueue(), calls, deleter);
        this.groupSettlements = new GroupSettlement.Context(
                source, returns, groups, deadLetters, exhausted, retries, () -> stopping, calls.time());
        batchers.add(deleter.accumulator().batcher());
        batchers.add(changer.accumulator().batcher());
        if (deadLetters != null) {
            batchers.add(deadLetters.accumulator().batcher());
        }
        if (exhausted != null) {
            batchers.add(exhausted.accumulator().batcher());
        }
    }

    /** Returns the batchers; the container gives them alarms, flushes them on stop and closes them. */
    public Collection<Batcher<?, ?>> batchers() {
        return batchers;
    }

    /** Returns what keeps the leases of all messages in flight. */
    public VisibilityExtender extender() {
        return extender;
    }

    /** Settles a batch, or a part of it that is in order. */
    public void settle(List<Delivery> batch, List<Settlement> settlements) {
        List<Delivery> deletes = new ArrayList<>(batch.size());
        List<Delivery> notRun = new ArrayList<>(0);
        Map<String, GroupSettlement> byGroup = new LinkedHashMap<>(0);
        for (int i = 0; i < batch.size(); i++) {
            Delivery delivery = batch.get(i);
            if (delivery.group() == null && settlements.get(i) instanceof Settlement.NotRun) {
                notRun.add(delivery);
            } else if (delivery.group() == null) {
                settle(delivery, settlements.get(i), deletes);
            } else {
                byGroup.computeIfAbsent(delivery.group(), group -> new GroupSettlement(groupSettlements, group))
                        .add(delivery, settlements.get(i));
            }
        }
        byGroup.values().forEach(group -> group.goOn(deletes));
        if (!notRun.isEmpty() && !groups.requeue(notRun, 0)) {
            returns.returnNow(notRun);
        }
        deleter.delete(deletes);
    }

    /**
     * From now on a failed message is not tried again here. It returns to the queue, or goes to the dead-letter queue if its
     * attempts are used up: their count here ends with the stop.
     */
    public void endRetries() {
        stopping = true;
    }

    /**
     * Returns whether a message of the group was lost or returned manually since something of it runs, so that nothing of it may
     * start here.
     */
    public boolean lost(String group) {
        return returns.firstLost(group) != Groups.NONE_LOST;
    }

    /** Deletes messages that were handled before, when only their delete is missing. */
    public void deleteAgain(List<Delivery> deliveries) {
        deleter.delete(deliveries.stream().filter(Delivery::claim).toList());
    }

    /** Returns messages to the queue at once, the last first; passes over those that are settled already. */
    public void returnToQueue(List<Delivery> deliveries) {
        returns.returnNow(deliveries);
    }

    /** Returns the settlement for handlers that settle their messages themselves. */
    public ManualSettlement manually() {
        return manual;
    }

    /** Returns how long SQS has accepted no delete although deletes were tried; zero if it accepted the last one, or none is left to be made. */
    public Duration deletesFailingFor() {
        return failingFor(deleter.accumulator());
    }

    /** The same for visibility changes. */
    public Duration visibilityChangesFailingFor() {
        return failingFor(changer.accumulator());
    }

    /** The same for messages that go to a dead-letter queue. */
    public Duration deadLettersFailingFor() {
        Duration named = deadLetters == null ? Duration.ZERO : failingFor(deadLetters.accumulator());
        Duration redriven = exhausted == null ? Duration.ZERO : failingFor(exhausted.accumulator());
        return named.compareTo(redriven) > 0 ? named : redriven;
    }

    private Duration failingFor(Accumulator<?, ?> calls) {
        return ledger.isDone() ? Duration.ZERO : calls.failingFor();
    }

    private void settle(Delivery delivery, Settlement settlement, List<Delivery> deletes) {
        switch (settlement) {
            case Settlement.Delete delete -> {
                if (delivery.claim()) {
                    deletes.add(delivery);
                }
            }
            case Settlement.Release release -> returns.returnAfter(release.after(), List.of(delivery));
            case Settlement.DeadLetter dead -> {
                if (delivery.claim()) {
                    deadLetter(delivery, dead);
                }
            }
            case Settlement.Untrack untrack -> returns.untrack(delivery);
            case Settlement.NotRun notRun -> returns.returnNow(List.of(delivery));
            case Settlement.Manual manually -> delivery.awaitManualSettlement();
        }
    }

    private void deadLetter(Delivery delivery, Settlement.DeadLetter dead) {
        Runnable otherwise = () -> returns.returnClaimed(delivery, dead.otherwise());
        if (deadLetters == null) {
            otherwise.run();
        } else {
            deadLetters.move(delivery, dead.cause(), deletes -> {}, otherwise);
        }
    }
}
