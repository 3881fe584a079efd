/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.support.TimeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way through the handler: the settlement of each message, and which groups may go on.
 *
 * <p>Messages that have calls of their own (parts, one by one) are settled as soon as they have run, so that a later one that hangs, or
 * a stop, does not return them to the queue. In a group (FIFO) nothing may run behind a message that did not pass, that the handler has
 * not acknowledged yet (manual mode), whose lease is lost before SQS has accepted its delete, that the handler returned to the queue, or
 * that the group has lost. A message that did not pass is settled with those behind it at the end. Used by the thread of one invocation.
 */
final class BatchRun {

    private static final Settlement NOT_RUN = new Settlement.NotRun();

    private final List<Delivery> batch;
    private final InvocationSettlement next;
    private final TimeSource time;
    private final @Nullable Settlement[] settlements;

    // ---- made for batches with several calls
    private @Nullable BitSet settled;
    private Set<String> stoppedGroups = Set.of();
    /** The messages of each group that passed, and may neither be acknowledged nor deleted yet. */
    private Map<String, List<Delivery>> passed = Map.of();

    BatchRun(List<Delivery> batch, InvocationSettlement next, TimeSource time) {
        this.batch = batch;
        this.next = next;
        this.time = time;
        this.settlements = new Settlement[batch.size()];
    }

    int size() {
        return batch.size();
    }

    Delivery delivery(int place) {
        return batch.get(place);
    }

    /** Returns the settlement of a message; {@code null} if it has none yet. */
    @Nullable
    Settlement settlement(int place) {
        return settlements[place];
    }

    void decide(int place, @Nullable Settlement settlement) {
        settlements[place] = settlement;
    }

    /** Returns whether what is behind the message in its group may run. */
    boolean hasPassed(int place) {
        Settlement settlement = settlements[place];
        return settlement != null && settlement.passed();
    }

    /**
     * Settles those of the messages that need not wait for others, in order. A message of a group that did not pass, or that has
     * no settlement yet, stops its group. Messages that the handler settles manually are settled at the end, because those
     * behind them depend on them.
     */
    <T> void settle(List<ConvertedMessage<T>> messages) {
        List<Delivery> deliveries = new ArrayList<>(messages.size());
        List<Settlement> those = new ArrayList<>(messages.size());
        BitSet places = settled == null ? new BitSet(batch.size()) : settled;
        settled = places;
        for (ConvertedMessage<T> message : messages) {
            int place = message.place();
            Delivery delivery = batch.get(place);
            Settlement settlement = settlements[place];
            String group = delivery.group();
            boolean goesOn = group == null || (hasPassed(place) && !stoppedGroups.contains(group));
            if (settlement == null || !goesOn) {
                stop(group);
            } else if (settlement instanceof Settlement.Manual) {
                passed(delivery);
            } else if (!places.get(place)) {
                places.set(place);
                deliveries.add(delivery);
                those.add(settlement);
            }
        }
        if (!deliveries.isEmpty()) {
            // An error hook that was interrupted, or interrupted itself, must not disturb the settlement.
            boolean ignored = Thread.interrupted();
            next.settle(deliveries, those);
            deliveries.forEach(this::passed);
        }
    }

    private void passed(Delivery delivery) {
        if (delivery.group() != null) {
            passed = passed.isEmpty() ? new HashMap<>() : passed;
            passed.computeIfAbsent(delivery.group(), key -> new ArrayList<>()).add(delivery);
        }
    }

    /** Settles the messages that are not settled yet, in order. Those without a settlement did not run. */
    void end() {
        for (int place = 0; place < settlements.length; place++) {
            settlements[place] = settlements[place] == null ? NOT_RUN : settlements[place];
        }
        if (settled == null || settled.isEmpty()) {
            next.settle(batch, Arrays.asList(settlements));
            return;
        }
        List<Delivery> rest = new ArrayList<>(batch.size());
        List<Settlement> settlementsOfRest = new ArrayList<>(batch.size());
        for (int place = settled.nextClearBit(0); place < batch.size(); place = settled.nextClearBit(place + 1)) {
            rest.add(batch.get(place));
            settlementsOfRest.add(settlements[place]);
        }
        if (!rest.isEmpty()) {
            next.settle(rest, settlementsOfRest);
        }
    }

    /** From now on, nothing of the group runs. */
    void stop(@Nullable String group) {
        if (group != null) {
            stoppedGroups = stoppedGroups.isEmpty() ? new HashSet<>() : stoppedGroups;
            stoppedGroups.add(group);
        }
    }

    /** Returns whether the next message of the group may run, as far as the messages of this batch ahead of it go. */
    boolean goesOn(@Nullable String group) {
        if (group == null) {
            return true;
        }
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
            stop(group);
        }
        return goesOn;
    }

    /** Returns whether a message ahead of what runs of the group was lost or returned manually, so that nothing of it may start here. */
    boolean lost(String group) {
        return !goesOn(group) || next.lost(group);
    }
}
