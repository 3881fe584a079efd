/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import java.util.concurrent.ThreadFactory;

/** The threads of one-off receives, all of them virtual: {@code batchsqs-sender-settle-<n>}. */
final class PullThreads {

    private static final ThreadFactory SETTLEMENTS =
            Thread.ofVirtual().name("batchsqs-sender-settle-", 0).factory();

    private PullThreads() {}

    /** Starts calls that settle messages, or the callbacks of such a message. */
    static void settle(Runnable task) {
        SETTLEMENTS.newThread(task).start();
    }
}
