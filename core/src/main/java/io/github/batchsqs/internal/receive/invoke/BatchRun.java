/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.support.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
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

    private static final Settlement NOT_RUN = new Settlement.NotRun(false);

    private final List<Delivery> batch;
    private final Consumer<List<Delivery>> next;
    private final TimeSource time;
    private final long slotAt;
    private final int slots;
    private int ran;
    private int failed;
    private int overloaded;

    // ---- made for batches with several calls
    /** The messages that are not settled yet, in order; {@code null} for all. */
    private @Nullable Set<Delivery> open;

    private Set<String> stoppedGroups = Set.of();
    /** The messages of each group that passed, and may neither be acknowledged nor deleted yet. */
    private Map<String, List<Delivery>> passed = Map.of();

    BatchRun(List<Delivery> batch, Consumer<List<Delivery>> next, TimeSource time, long slotAt, int slots) {
        this.batch = batch;
        this.next = next;
        this.time = time;
        this.slotAt = slotAt;
        this.slots = slots;
        batch.forEach(Delivery::begin);
    }

    /** Counts the messages of a call of the handler that has ended, for the limit. Returns how many of them passed. */
    <T> int count(List<ConvertedMessage<T>> messages, InvocationLimit limit) {
        int done = 0;
        for (ConvertedMessage<T> message : messages) {
            Delivery delivery = message.delivery();
            Delivery.Failure failure = delivery.failure();
            Throwable cause = failure == null ? null : failure.cause();
            done += delivery.passed() ? 1 : 0;
            ran += delivery.passed() || failure != null ? 1 : 0;
            failed += failure == null ? 0 : 1;
            overloaded += cause != null && limit.isAutomatic() && Overloads.shows(cause) ? 1 : 0;
        }
        return done;
    }

    /** All calls of the handler have ended. */
    void measured(InvocationLimit limit) {
        if (ran > 0) {
            limit.ended(ran, failed, overloaded, slots, slotAt);
        }
    }

    /**
     * Settles those of the messages that need not wait for others, in order. A message of a group that did not pass, or that has
     * no settlement yet, stops its group. Messages that the handler settles manually are settled at the end, because those
     * behind them depend on them.
     */
    <T> void settle(List<ConvertedMessage<T>> messages) {
        List<Delivery> those = new ArrayList<>(messages.size());
        open = open == null ? new LinkedHashSet<>(batch) : open;
        for (ConvertedMessage<T> message : messages) {
            Delivery delivery = message.delivery();
            String group = delivery.group();
            boolean goesOn = group == null || (delivery.passed() && !stoppedGroups.contains(group));
            if (delivery.settlement() == null || !goesOn) {
                stop(group);
            } else if (delivery.settlement() instanceof Settlement.Manual) {
                passed(delivery);
            } else if (open.remove(delivery)) {
                those.add(delivery);
            }
        }
        if (!those.isEmpty()) {
            // An error hook that was interrupted, or interrupted itself, must not disturb the settlement.
            boolean ignored = Thread.interrupted();
            next.accept(those);
            those.forEach(this::passed);
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
        List<Delivery> rest = open == null ? batch : List.copyOf(open);
        for (Delivery delivery : rest) {
            delivery.decide(delivery.settlement() == null ? NOT_RUN : delivery.settlement());
        }
        if (!rest.isEmpty()) {
            next.accept(rest);
        }
    }

    /** From now on, nothing of the group runs. */
    void stop(@Nullable String group) {
        if (group != null) {
            stoppedGroups = stoppedGroups.isEmpty() ? new HashSet<>() : stoppedGroups;
            stoppedGroups.add(group);
        }
    }

    /** Returns whether a message may run, as far as the messages ahead of it in its group go. */
    boolean goesOn(Delivery delivery) {
        String group = delivery.group();
        if (group == null) {
            return true;
        }
        if (stoppedGroups.contains(group)) {
            return false;
        }
        List<Delivery> ahead = passed.get(group);
        if (ahead == null) {
            return !delivery.isLost();
        }
        ahead.removeIf(Delivery::untracked);
        long now = time.nanos();
        boolean goesOn =
                !delivery.isLost() && ahead.stream().noneMatch(each -> each.unsettled() || each.leaseLost(now));
        if (!goesOn) {
            stop(group);
        }
        return goesOn;
    }
}
