/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.internal.batch.CallThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * The threads of one-off receives, all of them virtual: {@code batchsqs-sender-receive-<n>}, {@code batchsqs-sender-settle-timer-0}
 * and {@code batchsqs-sender-settle-call-<n>}.
 */
final class PullThreads implements AutoCloseable {

    private final ThreadFactory receives =
            Thread.ofVirtual().name("batchsqs-sender-receive-", 0).factory();
    private final ThreadFactory timers =
            Thread.ofVirtual().name("batchsqs-sender-settle-timer-", 0).factory();
    private final CallThreads calls = new CallThreads(
            Thread.ofVirtual().name("batchsqs-sender-settle-call-", 0).factory());

    /** Makes the thread of a receive; the caller starts it. */
    Thread receive(Runnable task) {
        return receives.newThread(task);
    }

    /** Starts the timer. */
    void startTimer(Runnable timer) {
        timers.newThread(timer).start();
    }

    /** A thread for each task; its uncaught errors are for the caller to avoid. */
    Executor calls() {
        return calls;
    }

    /** Takes no more tasks; those that run may end. */
    @Override
    public void close() {
        calls.close();
    }
}
