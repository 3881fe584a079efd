/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.handoff;

import io.github.batchsqs.receive.fetch.Delivery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait for an invocation, and the decision of which of them form the next batch.
 *
 * <p>Pure: no thread, no lock, no clock of its own. Belongs to the {@link Dispatcher}'s lock.
 */
public sealed interface Handoff permits LingeringHandoff, GroupedHandoff {

    /** Nothing to wait for. */
    long NEVER = Long.MAX_VALUE;

    /** Takes a message that was received. */
    void offer(Delivery delivery);

    /** The next batch that should run now, or {@code null}. Its lanes are busy until {@link #release}. */
    @Nullable
    List<Delivery> poll(long now);

    /** How long until {@link #poll} may have a batch: 0 for at once, {@link #NEVER} if nothing is under way to it. */
    long nanosUntilDue(long now);

    /** The lane's batch was settled: its next one may run. */
    void release(String lane);

    /** Takes messages back that did not run, to the head of their lane, in order. */
    void takeBack(List<Delivery> deliveries);

    /** Removes and returns what waits of a lane. */
    List<Delivery> withdraw(String lane);

    /** Removes and returns everything that waits, in order; of busy lanes only if asked to. */
    List<Delivery> drain(boolean busyLanesToo);

    /** How many messages wait. */
    int size();
}
