/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.delivery;

import java.util.List;

/**
 * What the settlement of FIFO messages needs of their message groups. Called by any thread, and never with a lock of this
 * stage held.
 */
public interface Groups {

    /** Removes and returns what waits of a group. */
    List<Delivery> removeWaiting(String group);

    /**
     * A message of the group that ran is no longer ours, because it could not be deleted or was returned to the queue manually:
     * removes and returns what waits of the group. Nothing that is out of it starts here any more.
     *
     * @param visibleFrom when SQS may deliver the message again
     */
    List<Delivery> lose(String group, long visibleFrom);

    /**
     * Returns when SQS may deliver the message again that was lost ahead of what is out of the group, or {@link #NOT_LOST}.
     */
    long lostUntil(String group);

    /** The result of {@link #lostUntil} for a group of which nothing was lost. */
    long NOT_LOST = Long.MIN_VALUE;

    /**
     * Puts messages of one group that did not run at the head of their group again.
     *
     * @param alone how many of the first of them run one by one
     * @return {@code false} if a message ahead of them was lost, so that they must not run here
     */
    boolean requeue(List<Delivery> deliveries, int alone);

    /**
     * Puts messages of one group at its head again, to be tried again.
     *
     * @param alone how many of the first of them run one by one
     * @param notBefore when the group may go on
     * @return {@code false} if a message ahead of them was lost, so that they must not run here
     */
    boolean retry(List<Delivery> deliveries, int alone, long notBefore);

    /** Returns whether these messages of one group may wait here for a retry, with those that wait behind them. */
    boolean roomToWait(List<Delivery> deliveries);

    /**
     * So many messages more ({@code messages < 0}: fewer) wait for a dead-letter queue, and do not keep other groups out
     * meanwhile.
     */
    void waitsForDeadLetter(int messages);

    /** A message that was claimed elsewhere is untracked. */
    void settled(Delivery delivery);
}
