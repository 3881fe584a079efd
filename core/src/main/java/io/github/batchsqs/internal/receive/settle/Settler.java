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
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
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

    private final ListenerQueue source;
    private final Groups groups;
    private final @Nullable DeadLetters deadLetters;
    private final @Nullable InProcessRetries retries;
    private final Deleter deleter;
    private final VisibilityChanger changer;
    private final VisibilityExtender extender;
    private final List<? extends Accumulator<?, ?>> accumulators;

    /**
     * Makes a settler.
     *
     * @param threads run the deletes and the sends to dead-letter queues
     * @param visibilityThreads run the visibility changes
     * @param deadLetterQueue where messages go that are never to be handled again, or {@code null} if they return to the queue
     * @param retries when a failed FIFO message is tried again here, or {@code null} if it always returns to the queue
     * @param groups the message groups on a FIFO queue
     */
    public Settler(
            ListenerQueue source,
            Executor threads,
            Executor visibilityThreads,
            InFlightLedger ledger,
            @Nullable Queue deadLetterQueue,
            @Nullable InProcessRetries retries,
            Groups groups) {
        this.source = source;
        this.retries = retries;
        this.groups = groups;
        this.changer = new VisibilityChanger(source, visibilityThreads, ledger, groups);
        this.deleter = new Deleter(source, threads, ledger, changer);
        this.extender = new VisibilityExtender(source, ledger, changer);
        this.deadLetters = deadLetterQueue == null ? null : new DeadLetters(deadLetterQueue, source, threads, deleter);
        this.accumulators = Stream.of(deleter, changer, deadLetters)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the batchers; the container gives them alarms, flushes them on stop and closes them. */
    public Stream<Batcher<?, ?>> batchers() {
        return accumulators.stream().map(Accumulator::batcher);
    }

    /** Returns what keeps the leases of all messages in flight. */
    public VisibilityExtender extender() {
        return extender;
    }

    /** Carries out the {@linkplain Delivery#settlement settlements} of a batch, or of a part of it that is in order. */
    public void settle(List<Delivery> batch) {
        List<Delivery> deletes = new ArrayList<>(batch.size());
        List<Delivery> notRun = new ArrayList<>(0);
        Map<String, List<Delivery>> byGroup = source.queue().fifo() ? new LinkedHashMap<>() : Map.of();
        for (Delivery delivery : batch) {
            if (delivery.group() != null) {
                byGroup.computeIfAbsent(delivery.group(), group -> new ArrayList<>())
                        .add(delivery);
            } else if (delivery.settlement() instanceof Settlement.NotRun) {
                notRun.add(delivery);
            } else if (!(delivery.settlement() instanceof Settlement.Delete)) {
                new GroupSettlement(null, List.of(delivery)).goOn(deletes);
            } else if (delivery.claim()) {
                deletes.add(delivery);
            }
        }
        byGroup.forEach((group, those) -> new GroupSettlement(group, those).goOn(deletes));
        if (!notRun.isEmpty() && !groups.requeue(notRun, 0, null)) {
            changer.returnNow(notRun);
        }
        deleter.delete(deletes);
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
        long until = source.time().nanos() + limited.toNanos();
        List<CompletableFuture<Void>> futures = new ArrayList<>(deliveries.size());
        List<VisibilityChanger.Change> longer = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            if (!delivery.unsettled()) {
                futures.add(failed(
                        delivery, "is settled or no longer in flight here, so that its visibility cannot be changed"));
                continue;
            }
            delivery.visibleFrom(until);
            if (until - delivery.leaseAtLeastUntil() > 0) {
                CompletableFuture<Void> changed = new CompletableFuture<>();
                futures.add(changed);
                longer.add(new VisibilityChanger.Change(delivery, limited, false, changed));
            }
        }
        changer.change(longer);
        return all(futures);
    }

    private static CompletableFuture<Void> settleManually(
            List<Delivery> deliveries, Consumer<List<Delivery>> settlement) {
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
        settlement.accept(claimed);
        return all(futures);
    }

    private static CompletableFuture<Void> failed(Delivery delivery, String why) {
        return CompletableFuture.failedFuture(
                new BatchSqsException("Message " + delivery.message().id() + " " + why));
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<Void>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
    }

    // ---- for how long calls have failed

    /** Returns for how long each kind of call fails, that of deletes first. */
    public List<FailingCalls> failing() {
        return accumulators.stream().map(Accumulator::failing).toList();
    }

    // ---- the settlement of a group

    /**
     * Settles the messages of one group of a batch, in order, or one message of a standard queue: those that passed are
     * deleted, up to the first that did not.
     *
     * <p>A message that failed is tried again here or returns to the queue, and what follows it waits behind it or returns with
     * it, whatever its own settlement is. One that goes to the dead-letter queue blocks its group until that queue has accepted
     * it; no thread waits for that. Steps run one after another, on whatever thread ends the one before.
     */
    private final class GroupSettlement {
        private final @Nullable String group;
        private final List<Delivery> deliveries;
        private int next;

        /** @param group {@code null} for one message of a standard queue */
        GroupSettlement(@Nullable String group, List<Delivery> deliveries) {
            this.group = group;
            this.deliveries = deliveries;
        }

        /** Settles as far as it goes without waiting; adds to {@code deletes} what is to be deleted now. */
        void goOn(List<Delivery> deletes) {
            while (next < deliveries.size()) {
                Delivery delivery = deliveries.get(next);
                if (delivery.isLost()) {
                    returnRest();
                    return;
                }
                switch (Objects.requireNonNull(delivery.settlement())) {
                    case Settlement.Delete delete -> {
                        if (changer.claim(delivery)) {
                            deletes.add(delivery);
                        }
                    }
                    case Settlement.Manual handler -> {} // it does, now or later
                    case Settlement.DeadLetter dead -> {
                        boolean stopped = handlerMayHaveStopped(delivery);
                        deadLetter(delivery, dead, stopped ? more -> runRest() : this::goOn);
                        return;
                    }
                    case Settlement.Release release -> {
                        failed(delivery, release);
                        return;
                    }
                    case Settlement.Untrack untrack -> {
                        tail().forEach(changer::untrack);
                        return;
                    }
                    case Settlement.NotRun notRun -> {
                        didNotRun(alone());
                        return;
                    }
                }
                next++;
            }
        }

        /**
         * A message ahead of the rest is no longer ours: the rest returns, and not before its own delay. Messages that the handler settles
         * stay its own.
         */
        private void returnRest() {
            List<Delivery> back = new ArrayList<>(deliveries.size() - next);
            Duration after = Duration.ZERO;
            for (; next < deliveries.size(); next++) {
                Delivery delivery = deliveries.get(next);
                if (delivery.settlement() instanceof Settlement.Release release
                        && release.after().compareTo(after) > 0) {
                    after = release.after();
                }
                if (!delivery.awaitsManualSettlement()) {
                    back.add(delivery);
                }
            }
            changer.returnAfter(after, back);
        }

        /**
         * Returns whether the handler named the message as failed: it may have stopped there, so what it did not name behind it
         * need not have run. Messages that it settles itself stay its own.
         */
        private boolean handlerMayHaveStopped(Delivery delivery) {
            return delivery.failedForSure() && deliveries.stream().noneMatch(Delivery::awaitsManualSettlement);
        }

        /** Runs the messages behind one that failed, whatever their own settlements are. */
        private void runRest() {
            if (next < deliveries.size()) {
                int alone = alone();
                countNamed(rest());
                didNotRun(alone);
            }
        }

        private void didNotRun(int alone) {
            if (!groups.requeue(rest(), alone, null)) {
                returnTail(Duration.ZERO);
            }
        }

        private void failed(Delivery delivery, Settlement.Release release) {
            Delivery.Failure failure = delivery.failure();
            if (failure == null || retries == null || !delivery.unsettled()) {
                returnTail(release.after()); // without a failure it did not fail in the handler
                return;
            }
            Duration here = retries.delay(release);
            InProcessRetries.Decision decision = retries.decide(
                    delivery, failure.blamed(), here, source, source.time().nanos());
            if (decision == InProcessRetries.Decision.DEAD_LETTER) {
                Settlement.DeadLetter dead = new Settlement.DeadLetter(failure.cause(), release.after());
                deadLetter(delivery, dead, more -> runRest());
            } else if (decision == InProcessRetries.Decision.RETRY_HERE) {
                retryHere(here, release.after());
            } else {
                returnTail(release.after());
            }
        }

        /** @param otherwise when they are delivered again if they may not wait here */
        private void retryHere(Duration here, Duration otherwise) {
            int together = failedTogether();
            int alone = Math.max(together, alone());
            List<Delivery> rest = rest();
            rest.subList(0, together).forEach(Delivery::countAttempt);
            countNamed(rest.subList(together, rest.size()));
            if (!groups.requeue(rest, alone, source.time().nanos() + here.toNanos())) {
                returnTail(otherwise);
            }
        }

        /** Counts the attempts of messages that the handler named although one ahead of them had failed. */
        private static void countNamed(List<Delivery> behind) {
            for (Delivery delivery : behind) {
                if (delivery.failedForSure()) {
                    delivery.countAttempt();
                }
            }
        }

        /**
         * Returns how many from here run one by one: up to the last that failed for sure or whose batch failed as a whole, so that
         * the messages between run only once more.
         */
        private int alone() {
            int end = next;
            for (int i = next; i < deliveries.size(); i++) {
                Delivery delivery = deliveries.get(i);
                boolean undecided = delivery.settlement() instanceof Settlement.NotRun notRun && notRun.alone();
                if (undecided || delivery.failedForSure()) {
                    end = i + 1;
                }
            }
            return end - next;
        }

        /** How many from here failed without anybody knowing which of them is at fault; 1 if this one is. */
        private int failedTogether() {
            int end = next;
            while (end < deliveries.size()
                    && deliveries.get(end).settlement() instanceof Settlement.Release
                    && deliveries.get(end).failure() != null
                    && !deliveries.get(end).failedForSure()) {
                end++;
            }
            return Math.max(1, end - next);
        }

        /** @param then settles what is behind the message, and adds to what is to be deleted with it */
        private void deadLetter(Delivery delivery, Settlement.DeadLetter dead, Consumer<List<Delivery>> then) {
            if (deadLetters == null) {
                returnTail(dead.otherwise());
                return;
            }
            if (!changer.claim(delivery)) {
                returnTail(Duration.ZERO); // it was returned to the queue by others, for example by a stop
                return;
            }
            int behind = next + 1;
            deadLetters.move(
                    delivery,
                    dead.cause(),
                    deletes -> {
                        next = behind;
                        then.accept(deletes);
                    },
                    () -> {
                        next = behind;
                        returnTail(dead.otherwise());
                        changer.release(List.of(delivery), dead.otherwise());
                    });
        }

        /** Returns what is left to the queue after the delay. */
        private void returnTail(Duration after) {
            changer.returnAfter(after, tail());
        }

        private List<Delivery> rest() {
            return deliveries.subList(next, deliveries.size());
        }

        /** Returns the messages of the batch that are not settled yet, and all that wait behind it. */
        private List<Delivery> tail() {
            List<Delivery> tail = new ArrayList<>(rest());
            tail.addAll(group == null ? List.of() : groups.removeWaiting(group));
            return tail;
        }
    }
}
