/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.internal.batch.CallThreads;
import java.util.concurrent.ThreadFactory;

/**
 * Makes the threads of senders, all of them virtual: {@code batchsqs-sender-<queue>-timer-0} and {@code …-call-<n>}, {@code
 * batchsqs-sender-lookup-<n>} for each look-up of a queue, and {@code batchsqs-sender-settle-<n>} for what was received.
 */
final class SenderThreads {

    private static final ThreadFactory LOOK_UPS =
            Thread.ofVirtual().name("batchsqs-sender-lookup-", 0).factory();

    private static final ThreadFactory SETTLEMENTS =
            Thread.ofVirtual().name("batchsqs-sender-settle-", 0).factory();

    private SenderThreads() {}

    /** Starts a look-up of a queue, or what may block otherwise. */
    static void lookUp(Runnable task) {
        LOOK_UPS.newThread(task).start();
    }

    /** Starts a call that settles received messages. */
    static void settle(Runnable task) {
        SETTLEMENTS.newThread(task).start();
    }

    /** Starts the timer of a queue's sender. */
    static void startTimer(String queue, Runnable timer) {
        Thread unused =
                Thread.ofVirtual().name("batchsqs-sender-" + queue + "-timer-0").start(timer);
    }

    /** Makes a thread for each task; its uncaught errors are for the caller to avoid. */
    static CallThreads calls(String queue) {
        return new CallThreads(Thread.ofVirtual()
                .name("batchsqs-sender-" + queue + "-call-", 0)
                .factory());
    }
}
