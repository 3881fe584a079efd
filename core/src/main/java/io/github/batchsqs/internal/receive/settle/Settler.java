/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Groups;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.ManualSettlement;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what is to become of messages: deletes, visibility changes and dead letters, each gathered into batches. A handler that
 * settles its messages itself asks here too: each of its claims has a future, which a second settlement of the message shares.
 *
 * <p>A message is settled once, by whoever claims it first ({@link Delivery#claim}); whoever comes later does nothing. On a FIFO queue a
 * message that returns to the queue or is untracked takes everything behind it in its group along, last first, and nothing behind it is
 * deleted.
 *
 * <p>Safe for use by any thread. Never blocks.
 */
public final class Settler implements ManualSettlement {

    private final TimeSource time;
    private final Groups groups;
    private final @Nullable DeadLetters deadLetters;
    private final @Nullable DeadLetters exhausted;
    private final GroupSettlement.Context groupSettlements;
    private final Deleter deleter;
    private final VisibilityChanger changer;
    private final VisibilityExtender extender;
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
            InFlightLedger ledger,
            @Nullable Queue deadLetterQueue,
            @Nullable InProcessRetries retries,
            Groups groups,
            Calls calls) {
        ListenerQueue source = calls.source();
        this.time = source.time();
        this.groups = groups;
        this.changer = new VisibilityChanger(calls, ledger, groups);
        this.deleter = new Deleter(calls, ledger, changer);
        this.extender = new VisibilityExtender(source, ledger, changer);
        this.deadLetters = deadLetterQueue == null ? null : new DeadLetters(deadLetterQueue, calls, deleter);
        this.exhausted = retries == null || retries.deadLetterQueue().equals(deadLetterQueue)
                ? deadLetters
                : new DeadLetters(retries.deadLetterQueue(), calls, deleter);
        this.groupSettlements =
                new GroupSettlement.Context(source, changer, groups, deadLetters, exhausted, retries, () -> stopping);
        batchers.add(deleter.batcher());
        batchers.add(changer.batcher());
        if (deadLetters != null) {
            batchers.add(deadLetters.batcher());
        }
        if (exhausted != null) {
            batchers.add(exhausted.batcher());
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

    /** Carries out the {@linkplain Delivery#settlement settlements} of a batch, or of a part of it that is in order. */
    public void settle(List<Delivery> batch) {
        List<Delivery> deletes = new ArrayList<>(batch.size());
        List<Delivery> notRun = new ArrayList<>(0);
        Map<String, List<Delivery>> byGroup = new LinkedHashMap<>(0);
        for (Delivery delivery : batch) {
            if (delivery.group() != null) {
                byGroup.computeIfAbsent(delivery.group(), group -> new ArrayList<>())
                        .add(delivery);
            } else if (delivery.settlement() instanceof Settlement.NotRun) {
                notRun.add(delivery);
            } else if (delivery.settlement() instanceof Settlement.Manual) {
                delivery.awaitManualSettlement();
            } else if (!(delivery.settlement() instanceof Settlement.Delete)) {
                new GroupSettlement(groupSettlements, null, List.of(delivery)).goOn(deletes);
            } else if (delivery.claim()) {
                deletes.add(delivery);
            }
        }
        byGroup.forEach((group, those) -> new GroupSettlement(groupSettlements, group, those).goOn(deletes));
        if (!notRun.isEmpty() && !groups.requeue(notRun, 0, null)) {
            changer.returnNow(notRun);
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

    /** Deletes messages that were handled before, when only their delete is missing. */
    public void deleteAgain(List<Delivery> deliveries) {
        deleter.delete(deliveries.stream().filter(Delivery::claim).toList());
    }

    /** Returns messages to the queue at once, the last first; passes over those that are settled already. */
    public void returnToQueue(List<Delivery> deliveries) {
        changer.returnNow(deliveries);
    }

    // ---- settled by the handler

    @Override
    public CompletableFuture<Void> delete(List<Delivery> deliveries) {
        return settleManually(deliveries, deleter::delete);
    }

    /**
     * Returns messages to the queue, last first, and on FIFO those that wait behind them. Messages of their groups that have not
     * started, such as those of later parts of their batch, do not start here any more.
     */
    @Override
    public CompletableFuture<Void> release(List<Delivery> deliveries, Duration after) {
        if (after.isNegative()) {
            throw new IllegalArgumentException("after must not be negative, but is " + after
                    + "; give Duration.ZERO to make the messages visible at once");
        }
        // Removed first: a group may go on as soon as its last message is untracked.
        changer.returnAfter(after, changer.loseUnsettled(deliveries));
        return settleManually(deliveries.reversed(), claimed -> changer.release(claimed, after));
    }

    /**
     * Hides messages until a time, which is that of their next delivery if they fail. A message in flight stays hidden as long as
     * its lease lasts, so an earlier time needs no call.
     */
    @Override
    public CompletableFuture<Void> changeVisibility(List<Delivery> deliveries, Duration timeout) {
        Duration limited = timeout.compareTo(SqsLimits.MAX_VISIBILITY) < 0 ? timeout : SqsLimits.MAX_VISIBILITY;
        long until = time.nanos() + limited.toNanos();
        List<CompletableFuture<Void>> futures = new ArrayList<>(deliveries.size());
        List<Delivery> longer = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            if (!delivery.unsettled()) {
                futures.add(failed(
                        delivery, "is settled or no longer in flight here, so that its visibility cannot be changed"));
                continue;
            }
            delivery.visibleFrom(until);
            if (until - delivery.leaseAtLeastUntil() > 0) {
                longer.add(delivery);
            }
        }
        futures.addAll(changer.extend(longer, limited));
        return all(futures);
    }

    private static CompletableFuture<Void> settleManually(
            List<Delivery> deliveries, Function<List<Delivery>, List<CompletableFuture<Void>>> settlement) {
        List<CompletableFuture<Void>> futures = new ArrayList<>(deliveries.size());
        List<Delivery> claimed = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            CompletableFuture<Void> settled = new CompletableFuture<>();
            if (delivery.claim(settled)) {
                claimed.add(delivery);
            }
            CompletableFuture<Void> first = delivery.manualSettlement();
            futures.add(
                    first != null
                            ? first
                            : failed(
                                    delivery,
                                    "is no longer in flight here: it returned to the queue, or its lease ended"));
        }
        if (!claimed.isEmpty()) {
            List<CompletableFuture<Void>> calls = settlement.apply(claimed);
            for (int i = 0; i < calls.size(); i++) {
                forward(calls.get(i), Objects.requireNonNull(claimed.get(i).manualSettlement()));
            }
        }
        return all(futures);
    }

    private static CompletableFuture<Void> failed(Delivery delivery, String why) {
        return CompletableFuture.failedFuture(
                new BatchSqsException("Message " + delivery.message().id() + " " + why));
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<Void>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
    }

    private static void forward(CompletableFuture<Void> from, CompletableFuture<Void> to) {
        CompletableFuture<Void> ignored = from.whenComplete((value, failure) -> {
            if (failure == null) {
                to.complete(null);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    // ---- for how long calls have failed

    /**
     * Returns for how long SQS accepted no delete although deletes were tried; zero if it accepted the last one, or
     * that one is long ago.
     */
    public Duration deletesFailingFor() {
        return deleter.failingFor();
    }

    /** The same for visibility changes. */
    public Duration visibilityChangesFailingFor() {
        return changer.failingFor();
    }

    /** The same for messages that go to a dead-letter queue. */
    public Duration deadLettersFailingFor() {
        Duration named = deadLetters == null ? Duration.ZERO : deadLetters.failingFor();
        Duration redriven = exhausted == null ? Duration.ZERO : exhausted.failingFor();
        return named.compareTo(redriven) > 0 ? named : redriven;
    }
}
