/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The threads of one queue's sender: {@code batchsqs-sender-<queue>-timer-0} and {@code …-call-<n>}, all of them virtual. */
final class SenderThreads implements AutoCloseable {

    private final String prefix;
    private final ExecutorService calls;

    SenderThreads(String queue) {
        this.prefix = "batchsqs-sender-" + queue;
        this.calls = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(prefix + "-call-", 0).factory());
    }

    /** A new thread for each task; its uncaught errors are for the caller to avoid. */
    ExecutorService calls() {
        return calls;
    }

    /** Starts the timer. */
    void startTimer(Runnable timer) {
        Thread.ofVirtual().name(prefix + "-timer-0").start(timer);
    }

    /** Interrupts the calls that still run; does not wait for them. */
    @Override
    public void close() {
        calls.shutdownNow();
    }
}
