/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Groups;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.payload.PayloadStore;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait for an invocation, and the decision of which of them form the next batch.
 *
 * <p>Pure: no thread, no lock, no clock of its own. Belongs to the {@link Dispatcher}'s lock.
 */
public sealed interface Handoff permits LingeringHandoff, GroupedHandoff {

    /**
     * Makes the hand-off of a queue.
     *
     * @param nothingComes whether nothing can fill a batch at this moment, so that none lingers
     */
    static Handoff of(ListenerQueue source, BooleanSupplier nothingComes) {
        ListenerOptions options = source.options();
        PayloadStore store = source.payloads();
        PayloadLimit limit =
                store == null ? PayloadLimit.NONE : new PayloadLimit(store::storedBytes, store.maxBatchBytes());
        if (!source.queue().fifo()) {
            return new LingeringHandoff(options.batchSize(), options.batchLinger(), nothingComes, limit);
        }
        return source.inGroupRuns()
                ? new GroupedHandoff(SqsLimits.MAX_PER_CALL, Duration.ZERO, false, nothingComes, PayloadLimit.NONE)
                : new GroupedHandoff(
                        options.batchSize(),
                        options.batchLinger(),
                        options.fifoGrouping() == ListenerOptions.FifoGrouping.MIXED,
                        nothingComes,
                        limit);
    }

    /** Adds a message that was received. */
    void offer(Delivery delivery);

    /**
     * Returns the next batch that should run now, or {@code null}. Its messages are out until they are {@link
     * #settled} or {@link #requeue requeued}.
     */
    @Nullable
    List<Delivery> poll(long now);

    /**
     * Returns how long until {@link #poll} may have a batch: 0 for at once, {@link Alarm#NEVER} if none comes by time
     * alone.
     */
    long nanosUntilDue(long now);

    /**
     * Adds messages whose batch is out at the head again: those of one group, or of a standard queue.
     *
     * @param alone how many of the first of them run one by one
     * @param notBefore when their group may go on, or {@code null} for at once
     * @return whether they wait there now; {@code false} if one of them was lost, and they must not run here
     */
    boolean requeue(List<Delivery> deliveries, int alone, @Nullable Long notBefore);

    /** Removes and returns everything that waits, in order; behind a running batch of their group only if asked to. */
    List<Delivery> drain(boolean busyGroupsToo);

    /** Returns how many messages wait. */
    int size();

    // ---- of message groups

    /** Blocks the message's group: nothing of the group runs before the message is {@link #settled}. */
    default void block(Delivery delivery) {}

    /** The message is untracked: its group may go on, if nothing of it is out anymore. */
    default void settled(Delivery delivery) {}

    /** Removes and returns the messages that wait in a group. */
    default List<Delivery> removeWaiting(String group) {
        return List.of();
    }

    /** A message that ran is no longer ours: see {@link Groups#lose}. Lost messages are not requeued. */
    default List<Delivery> lose(Delivery delivery) {
        return List.of();
    }

    /** Returns how many messages wait in groups that must not go on before a time. */
    default int delayed() {
        return 0;
    }

    /** Returns how many bytes those have. */
    default long delayedBytes() {
        return 0;
    }
}
