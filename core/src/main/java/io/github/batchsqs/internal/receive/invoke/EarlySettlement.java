/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.time.TimeSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settles messages of one batch as soon as they have run, so that a later one that hangs, or a stop, does not return them to
 * the queue.
 *
 * <p>In a group (FIFO) nothing may run behind a message that did not pass, that the handler has not acknowledged yet (manual
 * mode), whose lease is lost before SQS has accepted its delete, that the handler returned to the queue, or that the group has
 * lost. A message that did not pass is settled with those behind it at the end. Used by the thread of one invocation.
 */
final class EarlySettlement implements LostGroups {

    private final InvocationSettlement next;
    private final TimeSource time;
    private final BitSet settled = new BitSet();
    private final Set<String> stoppedGroups = new HashSet<>(0);
    /** The messages of each group that passed, and may neither be acknowledged nor deleted yet. */
    private final Map<String, List<Delivery>> passed = new HashMap<>(0);

    EarlySettlement(InvocationSettlement next, TimeSource time) {
        this.next = next;
        this.time = time;
    }

    /**
     * Settles those of the messages that need not wait for others, in order. A message of a group that did not pass, or that has
     * no settlement yet, stops its group. Messages that the handler settles manually are settled at the end, because those
     * behind them depend on them.
     */
    <T> void settle(List<ConvertedMessage<T>> messages, @Nullable Settlement[] settlements) {
        List<Delivery> deliveries = new ArrayList<>(messages.size());
        List<Settlement> those = new ArrayList<>(messages.size());
        for (ConvertedMessage<T> message : messages) {
            Settlement settlement = settlements[message.place()];
            String group = message.delivery().group();
            if (settled.get(message.place())) {
                continue;
            }
            if (settlement != null && (group == null || (settlement.passed() && !stoppedGroups.contains(group)))) {
                if (settlement instanceof Settlement.Manual) {
                    passed(message.delivery());
                } else {
                    settled.set(message.place());
                    deliveries.add(message.delivery());
                    those.add(settlement);
                }
            } else if (group != null) {
                stoppedGroups.add(group);
            }
        }
        if (!deliveries.isEmpty()) {
            settle(deliveries, those);
        }
    }

    private void settle(List<Delivery> deliveries, List<Settlement> settlements) {
        // An error hook that was interrupted, or interrupted itself, must not disturb the settlement.
        boolean ignored = Thread.interrupted();
        next.settle(deliveries, settlements);
        deliveries.forEach(this::passed);
    }

    private void passed(Delivery delivery) {
        if (delivery.group() != null) {
            passed.computeIfAbsent(delivery.group(), key -> new ArrayList<>()).add(delivery);
        }
    }

    /** Settles the messages of the batch that are not settled yet, in order. */
    void settleRest(List<Delivery> batch, List<Settlement> settlements) {
        if (settled.isEmpty()) {
            next.settle(batch, settlements);
            return;
        }
        List<Delivery> rest = new ArrayList<>(batch.size());
        List<Settlement> settlementsOfRest = new ArrayList<>(batch.size());
        for (int place = settled.nextClearBit(0); place < batch.size(); place = settled.nextClearBit(place + 1)) {
            rest.add(batch.get(place));
            settlementsOfRest.add(settlements.get(place));
        }
        if (!rest.isEmpty()) {
            next.settle(rest, settlementsOfRest);
        }
    }

    /** From now on, nothing of the group runs. */
    void stop(String group) {
        stoppedGroups.add(group);
    }

    /** Returns whether the next message of the group may run, as far as the messages of this batch ahead of it go. */
    boolean goesOn(String group) {
        if (stoppedGroups.contains(group)) {
            return false;
        }
        List<Delivery> ahead = passed.get(group);
        if (ahead == null) {
            return true;
        }
        ahead.removeIf(Delivery::untracked);
        long now = time.nanos();
        boolean goesOn = ahead.stream().noneMatch(each -> each.unsettled() || each.leaseLost(now)) && !next.lost(group);
        if (!goesOn) {
            stoppedGroups.add(group);
        }
        return goesOn;
    }

    @Override
    public boolean lost(String group) {
        return !goesOn(group) || next.lost(group);
    }
}
