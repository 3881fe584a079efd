/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.batch.CallThreads;
import java.util.concurrent.Executor;

/** The threads of one queue's sender: {@code batchsqs-sender-<queue>-timer-0} and {@code …-call-<n>}, all of them virtual. */
final class SenderThreads implements AutoCloseable {

    private final String prefix;
    private final CallThreads calls;

    SenderThreads(String queue) {
        this.prefix = "batchsqs-sender-" + queue;
        this.calls =
                new CallThreads(Thread.ofVirtual().name(prefix + "-call-", 0).factory());
    }

    /** A thread for each task; its uncaught errors are for the caller to avoid. */
    Executor calls() {
        return calls;
    }

    /** Starts the timer. */
    void startTimer(Runnable timer) {
        Thread.ofVirtual().name(prefix + "-timer-0").start(timer);
    }

    /** Interrupts the calls that still run; does not wait for them. */
    @Override
    public void close() {
        calls.closeNow();
    }
}
