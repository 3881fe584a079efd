/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.internal.batch.CallThreads;
import io.github.batchsqs.internal.support.TimerThreads;
import java.util.concurrent.ThreadFactory;

/**
 * Makes the threads of senders, all of them virtual: {@code batchsqs-sender-<queue>-call-<n>}, {@code batchsqs-sender-timer-<n>} for the
 * timers of all queues, and {@code batchsqs-sender-task-<n>} for callbacks of an outbox and calls that settle what was received.
 */
final class SenderThreads {

    private static final ThreadFactory TASKS =
            Thread.ofVirtual().name("batchsqs-sender-task-", 0).factory();

    private SenderThreads() {}

    /** Runs a task that may block, on a thread of its own. */
    static void start(Runnable task) {
        TASKS.newThread(task).start();
    }

    /** Makes the timers of a template. */
    static TimerThreads timers() {
        CallThreads threads = new CallThreads(
                Thread.ofVirtual().name("batchsqs-sender-timer-", 0).factory());
        return new TimerThreads(threads, threads);
    }

    /** Makes a thread for each task; its uncaught errors are for the caller to avoid. */
    static CallThreads calls(String queue) {
        return new CallThreads(Thread.ofVirtual()
                .name("batchsqs-sender-" + queue + "-call-", 0)
                .factory());
    }
}
