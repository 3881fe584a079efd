/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.List;

/** A receive: its parameters and the destination of its response. */
interface Poll {

    /** The most messages. */
    int max();

    /** For how long they are hidden; negative for the queue's own. */
    int visibilityTimeout();

    /** When the wait is over. */
    long until();

    /** Whether the asker is still there. */
    boolean open();

    /** Responds, with an empty list if there are no messages. */
    void respond(List<StoredMessage> messages);
}
