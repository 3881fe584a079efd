/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Groups;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.Loss;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Claims messages and returns them to the queue, the last first, so that a message group becomes visible in order. Knows
 * whether a message of a group was lost, so that nothing behind it runs here.
 *
 * <p>Safe for use by any thread. Never blocks.
 */
final class Returns {

    /** How much later than the message ahead of them others become visible: the clock here does not know to the second. */
    private static final Duration BEHIND = Duration.ofSeconds(1);

    private final VisibilityChanger changer;
    private final InFlightLedger ledger;
    private final Groups groups;
    private final TimeSource time;
    private final AtomicInteger losses = new AtomicInteger();

    Returns(VisibilityChanger changer, InFlightLedger ledger, Groups groups, TimeSource time) {
        this.changer = changer;
        this.ledger = ledger;
        this.groups = groups;
        this.time = time;
    }

    /** Claims a message that is out of its group; if others have returned it to the queue, its group does not wait for it. */
    boolean claim(Delivery delivery) {
        if (delivery.claim()) {
            return true;
        }
        if (delivery.group() != null && delivery.untracked()) {
            groups.settled(List.of(delivery));
        }
        return false;
    }

    /** Returns messages at once; passes over those that are claimed. */
    void returnNow(List<Delivery> deliveries) {
        returnAfter(Duration.ZERO, deliveries);
    }

    /** Returns messages, visible after the delay; passes over those that are claimed. */
    void returnAfter(Duration delay, List<Delivery> deliveries) {
        List<Delivery> claimed = claimLastFirst(deliveries);
        if (!claimed.isEmpty()) {
            changer.release(claimed, delay);
        }
    }

    /**
     * Returns messages of a group, visible after the delay. Those behind a message of the group that was lost are not visible before
     * that one. Passes over those that are claimed.
     */
    void returnInOrder(String group, Duration delay, List<Delivery> deliveries) {
        Loss loss = loss(group);
        if (loss == null) {
            returnAfter(delay, deliveries);
            return;
        }
        List<Delivery> ahead = new ArrayList<>(deliveries.size());
        List<Delivery> behind = new ArrayList<>(deliveries.size());
        deliveries.forEach(delivery -> (loss.reaches(delivery) ? behind : ahead).add(delivery));
        Duration hidden = hidden(loss.visibleFrom());
        returnAfter(hidden.compareTo(delay) > 0 ? hidden : delay, behind);
        returnAfter(delay, ahead);
    }

    /** As {@link #returnInOrder(String, Duration, List)}, and after them returns one ahead of them that is claimed already. */
    void returnInOrder(String group, Duration delay, List<Delivery> behind, Delivery claimed) {
        returnInOrder(group, delay, behind);
        changer.release(List.of(claimed), delay);
    }

    private List<Delivery> claimLastFirst(List<Delivery> deliveries) {
        List<Delivery> claimed = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries.reversed()) {
            if (claim(delivery)) {
                claimed.add(delivery);
            }
        }
        return claimed;
    }

    /** Untracks a message without a call: its lease ends by itself. */
    void untrack(Delivery delivery) {
        if (claim(delivery)) {
            ledger.untrack(List.of(delivery));
        }
    }

    /** Messages that were handled could not be deleted: no message of their groups that is in flight runs here behind them. */
    void lost(List<Delivery> handled) {
        for (Delivery delivery : handled) {
            if (delivery.group() != null) {
                long visibleFrom = delivery.leaseUntil();
                returnBehind(visibleFrom, lose(List.of(delivery), visibleFrom));
            }
        }
    }

    /**
     * The handler returns messages to the queue, or their leases ended before it settled them: no message of their groups that is
     * in flight starts here behind them. Returns those that wait behind them, which the caller returns to the queue; passes over
     * messages that are settled.
     *
     * @param visibleFrom when SQS may deliver the messages again
     */
    List<Delivery> removeBehind(List<Delivery> deliveries, long visibleFrom) {
        return lose(deliveries.stream().filter(Delivery::unsettled).toList(), visibleFrom);
    }

    /** Messages are no longer ours. Removes and returns those that wait behind them in their groups. */
    private List<Delivery> lose(List<Delivery> deliveries, long visibleFrom) {
        Map<String, Loss> byGroup = new LinkedHashMap<>(0);
        for (Delivery delivery : deliveries) {
            String group = delivery.group();
            if (group != null) {
                byGroup.put(group, Loss.of(delivery, visibleFrom).and(byGroup.get(group)));
            }
        }
        List<Delivery> behind = new ArrayList<>(0);
        byGroup.forEach((group, loss) -> {
            losses.incrementAndGet();
            behind.addAll(groups.lose(group, loss));
        });
        return behind;
    }

    /** See {@link Groups#loss}. */
    @Nullable
    Loss loss(String group) {
        return losses.get() == 0 ? null : groups.loss(group);
    }

    /**
     * Returns messages that must not run here: at once if the message that was lost ahead of them is visible again; else so that
     * they become visible after it.
     *
     * @param visibleFrom when SQS may deliver the message again that was lost ahead of them
     */
    void returnBehind(long visibleFrom, List<Delivery> deliveries) {
        returnAfter(hidden(visibleFrom), deliveries);
    }

    private Duration hidden(long visibleFrom) {
        long left = visibleFrom - time.nanos();
        return left <= 0 ? Duration.ZERO : Duration.ofNanos(left).plus(BEHIND);
    }
}
