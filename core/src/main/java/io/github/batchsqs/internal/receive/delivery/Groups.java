/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the settlement of FIFO messages needs of their message groups. Called by any thread, and never with a lock of this
 * stage held.
 */
public interface Groups {

    /** Removes and returns what waits of a group. */
    List<Delivery> removeWaiting(String group);

    /**
     * A message of a group that ran is no longer ours, because it could not be deleted or was returned to the queue manually: removes and
     * returns what waits of its group. It and what is out behind it are {@linkplain Delivery#lose() lost}; messages ahead of it go on.
     */
    List<Delivery> lose(Delivery delivery);

    /**
     * Puts messages of one group, or of a standard queue, at the head again, because they did not run or are tried again.
     *
     * @param alone how many of the first of them run one by one
     * @param notBefore when their group may go on; {@code null} for at once
     * @return {@code false} if they must not run here: one of them is lost, everything was drained, they would wait during a stop, or there
     *     is no room for them to wait
     */
    boolean requeue(List<Delivery> deliveries, int alone, @Nullable Long notBefore);

    /** Messages are untracked: their groups may go on. */
    void settled(Collection<Delivery> deliveries);
}
