/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.List;

/** A receive: what it asks for and where its answer goes. */
interface Poll {

    /** The most messages. */
    int max();

    /** For how long they are hidden; negative for the queue's own. */
    int visibilityTimeout();

    /** When the wait is over. */
    long until();

    /** Whether the asker is still there. */
    boolean open();

    /** Answers, perhaps with nothing. */
    void answer(List<StoredMessage> messages);
}
