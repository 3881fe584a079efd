/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Groups;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Claims messages and returns them to the queue, the last first, so that a message group becomes visible in order. Knows
 * whether a message of a group was lost, so that nothing behind it runs here. What is behind it returns at once: SQS withholds a message
 * as long as an earlier one of its group is hidden.
 *
 * <p>Safe for use by any thread. Never blocks.
 */
final class Returns {

    private final VisibilityChanger changer;
    private final InFlightLedger ledger;
    private final Groups groups;

    /** Whether any message was lost yet; until then nobody asks for the groups' lock. */
    private volatile boolean anyLost;

    Returns(VisibilityChanger changer, InFlightLedger ledger, Groups groups) {
        this.changer = changer;
        this.ledger = ledger;
        this.groups = groups;
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

    /** Returns messages, the last first, visible after the delay; passes over those that are claimed. */
    void returnAfter(Duration delay, List<Delivery> deliveries) {
        List<Delivery> claimed =
                deliveries.reversed().stream().filter(this::claim).toList();
        if (!claimed.isEmpty()) {
            changer.release(claimed, delay);
        }
    }

    /** Returns a message that the caller has claimed. */
    void returnClaimed(Delivery claimed, Duration delay) {
        changer.release(List.of(claimed), delay);
    }

    /** Untracks a message without a call: its lease ends by itself. */
    void untrack(Delivery delivery) {
        if (claim(delivery)) {
            ledger.untrack(List.of(delivery));
        }
    }

    /** Messages that were handled could not be deleted: no message of their groups that is in flight runs here behind them. */
    void lost(List<Delivery> handled) {
        returnNow(lose(handled));
    }

    /**
     * The handler returns messages to the queue, or their leases ended before it settled them: no message of their groups that is
     * in flight starts here behind them. Returns those that wait behind them, which the caller returns to the queue; passes over
     * messages that are settled.
     */
    List<Delivery> removeBehind(List<Delivery> deliveries) {
        return lose(deliveries.stream().filter(Delivery::unsettled).toList());
    }

    /** Messages are no longer ours. Removes and returns those that wait behind them in their groups. */
    private List<Delivery> lose(List<Delivery> deliveries) {
        Map<String, Long> firstByGroup = new LinkedHashMap<>(0);
        for (Delivery delivery : deliveries) {
            if (delivery.group() != null) {
                firstByGroup.merge(delivery.group(), delivery.number(), Math::min);
            }
        }
        List<Delivery> behind = new ArrayList<>(0);
        firstByGroup.forEach((group, first) -> {
            anyLost = true;
            behind.addAll(groups.lose(group, first));
        });
        return behind;
    }

    /** See {@link Groups#firstLost}. */
    long firstLost(String group) {
        return anyLost ? groups.firstLost(group) : Groups.NONE_LOST;
    }
}
