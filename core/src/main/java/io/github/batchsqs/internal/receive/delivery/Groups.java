/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import java.util.Collection;
import java.util.List;

/**
 * What the settlement of FIFO messages needs of their message groups. Called by any thread, and never with a lock of this
 * stage held.
 */
public interface Groups {

    /** Removes and returns what waits of a group. */
    List<Delivery> removeWaiting(String group);

    /** {@link #firstLost}: none. */
    long NONE_LOST = Long.MAX_VALUE;

    /**
     * Messages of the group that ran are no longer ours, because they could not be deleted or were returned to the queue manually: removes
     * and returns what waits of the group. Messages ahead of them go on; nothing behind them starts here.
     *
     * @param first the {@linkplain Delivery#number() number} of the first of them
     */
    List<Delivery> lose(String group, long first);

    /** Returns the number of the first message of the group that was lost since something of it is out; {@link #NONE_LOST} if none was. */
    long firstLost(String group);

    /**
     * Puts messages of one group, or of a standard queue, that did not run at the head again.
     *
     * @param alone how many of the first of them run one by one
     * @return {@code false} if they must not run here, because a message of their group was lost or everything was drained
     */
    boolean requeue(List<Delivery> deliveries, int alone);

    /**
     * Puts messages of one group at its head again, to be tried again.
     *
     * @param alone how many of the first of them run one by one
     * @param notBefore when the group may go on
     * @return {@code false} if a message of their group was lost, so that they must not run here, or if there is no room for
     *     them and those that wait behind them
     */
    boolean retry(List<Delivery> deliveries, int alone, long notBefore);

    /** Messages are untracked: their groups may go on. */
    void settled(Collection<Delivery> deliveries);
}
