/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Groups;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settles the messages of one group of a batch, in order, or one message of a standard queue: those that passed are
 * deleted, up to the first that did not.
 *
 * <p>A message that failed is tried again here or returns to the queue, and what follows it waits behind it or returns with
 * it, whatever its own settlement is. One that goes to the dead-letter queue blocks its group until that queue has accepted
 * it; no thread waits for that. Steps run one after another, on whatever thread ends the one before.
 */
final class GroupSettlement {

    private final Context context;
    private final VisibilityChanger changer;
    private final Groups groups;
    private final @Nullable String group;
    private final List<Delivery> deliveries;
    private int next;

    /**
     * What the settlements of all groups share.
     *
     * @param deadLetters where messages go that are never to be handled, or {@code null} if they return to the queue
     * @param exhausted where messages go that used up their attempts here
     * @param retries when a failed message is tried again here, or {@code null} if it always returns to the queue
     * @param stopping whether no failed message is tried again here
     */
    record Context(
            ListenerQueue source,
            VisibilityChanger changer,
            Groups groups,
            @Nullable DeadLetters deadLetters,
            @Nullable DeadLetters exhausted,
            @Nullable InProcessRetries retries,
            BooleanSupplier stopping) {}

    /** @param group {@code null} for one message of a standard queue */
    GroupSettlement(Context context, @Nullable String group, List<Delivery> deliveries) {
        this.context = context;
        this.changer = context.changer();
        this.groups = context.groups();
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
                case Settlement.Manual handler -> delivery.awaitManualSettlement();
                case Settlement.DeadLetter dead -> {
                    boolean stopped = handlerMayHaveStopped(delivery);
                    deadLetter(delivery, dead, context.deadLetters(), stopped ? more -> runRest() : this::goOn);
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
            if (delivery.settlement() instanceof Settlement.Manual) {
                delivery.awaitManualSettlement();
                continue;
            }
            if (delivery.settlement() instanceof Settlement.Release release
                    && release.after().compareTo(after) > 0) {
                after = release.after();
            }
            back.add(delivery);
        }
        changer.returnAfter(after, back);
    }

    /**
     * Returns whether the handler named the message as failed: it may have stopped there, so what it did not name behind it
     * need not have run. Messages that it settles itself stay its own.
     */
    private boolean handlerMayHaveStopped(Delivery delivery) {
        return failedForSure(delivery.failure())
                && deliveries.stream().noneMatch(each -> each.settlement() instanceof Settlement.Manual);
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
        InProcessRetries retries = context.retries();
        if (failure == null || retries == null || !delivery.unsettled()) {
            returnTail(release.after()); // without a failure it did not fail in the handler
            return;
        }
        Duration here = retries.delay(release);
        InProcessRetries.Decision decision = retries.decide(
                delivery,
                failure.blamed(),
                here,
                context.source(),
                context.source().time().nanos());
        if (decision == InProcessRetries.Decision.DEAD_LETTER) {
            Settlement.DeadLetter dead = new Settlement.DeadLetter(failure.cause(), release.after());
            deadLetter(delivery, dead, context.exhausted(), more -> runRest());
        } else if (decision == InProcessRetries.Decision.RETRY_HERE
                && !context.stopping().getAsBoolean()) {
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
        if (!groups.requeue(rest, alone, context.source().time().nanos() + here.toNanos())) {
            returnTail(otherwise);
        }
    }

    /** Counts the attempts of messages that the handler named although one ahead of them had failed. */
    private static void countNamed(List<Delivery> behind) {
        for (Delivery delivery : behind) {
            if (failedForSure(delivery.failure())) {
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
            if (undecided || failedForSure(delivery.failure())) {
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
                && failedUnblamed(deliveries.get(end).failure())) {
            end++;
        }
        return Math.max(1, end - next);
    }

    private static boolean failedForSure(Delivery.@Nullable Failure failure) {
        return failure != null && failure.blamed();
    }

    private static boolean failedUnblamed(Delivery.@Nullable Failure failure) {
        return failure != null && !failure.blamed();
    }

    /** @param then settles what is behind the message, and adds to what is to be deleted with it */
    private void deadLetter(
            Delivery delivery,
            Settlement.DeadLetter dead,
            @Nullable DeadLetters target,
            Consumer<List<Delivery>> then) {
        if (target == null) {
            returnTail(dead.otherwise());
            return;
        }
        if (!changer.claim(delivery)) {
            returnTail(Duration.ZERO); // it was returned to the queue by others, for example by a stop
            return;
        }
        int behind = next + 1;
        target.move(
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
