/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ManualSettlement;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The settlements that a handler asks for itself, and its changes of visibility. Each claim has a future, which a second settlement
 * of the message shares.
 *
 * <p>Safe for use by any thread. Never blocks.
 */
record ManualSettlements(Deleter deleter, VisibilityChanger changer, Returns returns, TimeSource time)
        implements ManualSettlement {

    @Override
    public CompletableFuture<Void> delete(List<Delivery> deliveries) {
        return settle(deliveries, deleter::delete);
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
        returns.returnAfter(after, returns.removeBehind(deliveries));
        List<Delivery> lastFirst = new ArrayList<>(deliveries).reversed();
        return settle(lastFirst, claimed -> changer.release(claimed, after));
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
                futures.add(CompletableFuture.failedFuture(new BatchSqsException("Message "
                        + delivery.message().id()
                        + " is settled or no longer in flight here, so that its visibility cannot be changed")));
                continue;
            }
            delivery.visibleFrom(until);
            if (until - delivery.leaseAtLeastUntil() > 0) {
                longer.add(delivery);
            }
        }
        futures.addAll(changer.extend(longer, limited));
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Untracks a message that the handler did not settle before its lease ended, and returns those that wait behind it on
     * FIFO.
     *
     * @param heldAgain whether a second receive brought a new lease, so that the message returns too
     */
    void expired(Delivery delivery, boolean heldAgain) {
        // Removed first: its group may go on as soon as it is untracked.
        List<Delivery> back = new ArrayList<>(returns.removeBehind(List.of(delivery)));
        if (heldAgain) {
            back.addFirst(delivery);
        } else {
            returns.untrack(delivery);
        }
        returns.returnNow(back);
    }

    private static CompletableFuture<Void> settle(
            List<Delivery> deliveries, Function<List<Delivery>, List<CompletableFuture<Void>>> settlement) {
        List<CompletableFuture<Void>> futures = new ArrayList<>(deliveries.size());
        List<Delivery> claimed = new ArrayList<>(deliveries.size());
        List<CompletableFuture<Void>> claims = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            CompletableFuture<Void> settled = new CompletableFuture<>();
            if (delivery.claim(settled)) {
                claimed.add(delivery);
                claims.add(settled);
                futures.add(settled);
            } else {
                futures.add(settledBefore(delivery));
            }
        }
        if (!claimed.isEmpty()) {
            List<CompletableFuture<Void>> calls = settlement.apply(claimed);
            for (int i = 0; i < calls.size(); i++) {
                forward(calls.get(i), claims.get(i));
            }
        }
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
    }

    private static CompletableFuture<Void> settledBefore(Delivery delivery) {
        CompletableFuture<Void> first = delivery.manualSettlement();
        return first != null
                ? first
                : CompletableFuture.failedFuture(new BatchSqsException("Message "
                        + delivery.message().id()
                        + " is no longer in flight here: it returned to the queue, or its lease ended"));
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
}
