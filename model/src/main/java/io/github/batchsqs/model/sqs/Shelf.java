/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.util.List;

/** Holds the visible messages of a queue in the order in which they are delivered. */
sealed interface Shelf<P extends Payload> permits StandardShelf, GroupedShelf {

    /** The message is visible, for the first time or again. */
    void show(Stored<P> message);

    /** The message, which was not on the shelf, is hidden. */
    void hide(Stored<P> message);

    /** Takes up to {@code max} messages that may be delivered now; they are hidden from now on. */
    void take(int max, List<Stored<P>> into);

    /** A message is no more, whether it was visible or not. */
    void remove(Stored<P> message);

    /** How many are visible, withheld ones included. */
    int size();
}
