/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import java.util.concurrent.ThreadFactory;

/** The threads of one-off receives, all of them virtual: {@code batchsqs-sender-receive-<n>} and {@code batchsqs-sender-settle-<n>}. */
final class PullThreads {

    private static final ThreadFactory RECEIVES =
            Thread.ofVirtual().name("batchsqs-sender-receive-", 0).factory();
    private static final ThreadFactory SETTLEMENTS =
            Thread.ofVirtual().name("batchsqs-sender-settle-", 0).factory();

    private PullThreads() {}

    /** Starts the calls of a receive. */
    static Thread receive(Runnable task) {
        Thread thread = RECEIVES.newThread(task);
        thread.start();
        return thread;
    }

    /** Starts calls that settle messages, or the callbacks of such a message. */
    static void settle(Runnable task) {
        SETTLEMENTS.newThread(task).start();
    }
}
