/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.List;

/** Where the visible messages of a queue lie, in the order in which they are delivered. */
sealed interface Shelf permits StandardShelf, GroupedShelf {

    /** The message is visible, for the first time or again. */
    void add(StoredMessage message);

    /** Takes up to {@code max} messages that may be delivered now. */
    void take(int max, List<StoredMessage> into);

    /** A message is no more, whether it was visible or not. */
    void gone(StoredMessage message);

    /** How many are visible, withheld ones included. */
    int size();
}
