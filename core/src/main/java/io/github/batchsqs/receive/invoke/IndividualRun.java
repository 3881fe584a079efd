/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import io.github.batchsqs.receive.delivery.Delivery;
import io.github.batchsqs.receive.delivery.Settlement;
import io.github.batchsqs.time.TimeSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the messages of one batch that failed as a whole one by one. Each is settled as soon as it has run, so that a later one
 * that hangs, or a stop, does not return it to the queue.
 *
 * <p>In a group (FIFO) nothing runs behind a message that did not pass or could not be settled, whose lease is lost before SQS has accepted its
 * delete, or that the group has lost. A message that did not pass is settled with those behind it at the end.
 */
final class IndividualRun<T> {

    private static final Settlement NOT_RUN_ALONE = new Settlement.NotRun(true);

    private final Admission<T> admission;
    private final HandlerCall<T> handler;
    private final OutcomePolicy outcomes;
    private final InvocationSettlement next;
    private final TimeSource time;
    private final BitSet settled = new BitSet();
    private final Set<String> stoppedGroups = new HashSet<>(0);
    /** Those of which a message could not be settled: what is left of them has returned to the queue. */
    private final Set<String> returnedGroups = new HashSet<>(0);
    /** The messages of each group whose deletes SQS may not have accepted yet. */
    private final Map<String, List<Delivery>> passed = new HashMap<>(0);

    IndividualRun(
            Admission<T> admission,
            HandlerCall<T> handler,
            OutcomePolicy outcomes,
            InvocationSettlement next,
            TimeSource time) {
        this.admission = admission;
        this.handler = handler;
        this.outcomes = outcomes;
        this.next = next;
        this.time = time;
    }

    /**
     * Runs the messages, and sets the settlement of each. Messages that a stop keeps from running return to the queue; a message
     * that is no longer ours never runs.
     *
     * @param ended whether no further message may start
     */
    void run(List<ConvertedMessage<T>> messages, @Nullable Settlement[] settlements, BooleanSupplier ended) {
        for (ConvertedMessage<T> message : messages) {
            String group = message.delivery().group();
            if (ended.getAsBoolean() || (group != null && !goesOn(group))) {
                settlements[message.place()] = NOT_RUN_ALONE;
                continue;
            }
            run(message, settlements);
            Settlement settlement = settlements[message.place()];
            if (settlement != null && (group == null || settlement.passed())) {
                settle(message, settlement);
            } else if (group != null) {
                stoppedGroups.add(group);
            }
        }
        for (ConvertedMessage<T> message : messages) {
            if (!settled.get(message.place())) {
                countAttempt(message);
            }
        }
    }

    /** Settles the messages of the batch that are not settled yet, in order. */
    void settleRest(List<Delivery> batch, List<Settlement> settlements) {
        if (settled.isEmpty()) {
            boolean ignored = next.settle(batch, settlements);
            return;
        }
        List<Delivery> rest = new ArrayList<>(batch.size());
        List<Settlement> settlementsOfRest = new ArrayList<>(batch.size());
        for (int place = settled.nextClearBit(0); place < batch.size(); place = settled.nextClearBit(place + 1)) {
            String group = batch.get(place).group();
            if (group == null || !returnedGroups.contains(group)) {
                rest.add(batch.get(place));
                settlementsOfRest.add(settlements.get(place));
            }
        }
        if (!rest.isEmpty()) {
            boolean ignored = next.settle(rest, settlementsOfRest);
        }
    }

    private void run(ConvertedMessage<T> message, @Nullable Settlement[] settlements) {
        settlements[message.place()] = admission.notToRun(message.delivery(), time.nanos());
        if (settlements[message.place()] == null) {
            List<ConvertedMessage<T>> one = List.of(message);
            HandlerResult result = handler.call(one, group -> !goesOn(group));
            if (result.started()) {
                outcomes.decide(one, result, settlements, time.nanos());
            } else {
                admission.notStarted(one, settlements);
            }
        }
    }

    private void settle(ConvertedMessage<T> message, Settlement settlement) {
        Delivery delivery = message.delivery();
        countAttempt(message);
        settled.set(message.place());
        // An error hook that was interrupted, or interrupted itself, must not disturb the settlement.
        boolean ignored = Thread.interrupted();
        boolean done = next.settle(List.of(delivery), List.of(settlement));
        if (delivery.group() != null && !done) {
            stoppedGroups.add(delivery.group());
            returnedGroups.add(delivery.group());
        } else if (delivery.group() != null) {
            passed.computeIfAbsent(delivery.group(), group -> new ArrayList<>()).add(delivery);
        }
    }

    private boolean goesOn(String group) {
        if (stoppedGroups.contains(group)) {
            return false;
        }
        List<Delivery> ahead = passed.get(group);
        if (ahead == null) {
            return true;
        }
        ahead.removeIf(Delivery::untracked);
        long now = time.nanos();
        boolean goesOn = ahead.stream().noneMatch(delivery -> delivery.leaseLost(now)) && !next.lost(group);
        if (!goesOn) {
            stoppedGroups.add(group);
        }
        return goesOn;
    }

    /** The run of the whole batch was an attempt of each; the delay is drawn already. */
    private static void countAttempt(ConvertedMessage<?> message) {
        message.delivery().countAttempt();
    }
}
