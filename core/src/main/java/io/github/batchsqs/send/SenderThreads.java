/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.internal.batch.CallThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** The threads of one queue's sender: {@code batchsqs-sender-<queue>-timer-0} and {@code …-call-<n>}, all of them virtual. */
final class SenderThreads implements AutoCloseable {

    private final ThreadFactory timers;
    private final CallThreads calls;

    SenderThreads(ThreadFactory timers, ThreadFactory calls) {
        this.timers = timers;
        this.calls = new CallThreads(calls);
    }

    /** Returns the threads of a queue's sender; none runs yet. */
    static SenderThreads of(String queue) {
        String prefix = "batchsqs-sender-" + queue;
        return new SenderThreads(
                Thread.ofVirtual().name(prefix + "-timer-", 0).factory(),
                Thread.ofVirtual().name(prefix + "-call-", 0).factory());
    }

    /** A thread for each task; its uncaught errors are for the caller to avoid. */
    Executor calls() {
        return calls;
    }

    /** Starts the timer. */
    void startTimer(Runnable timer) {
        timers.newThread(timer).start();
    }

    /** Takes no more tasks; those that run may end. */
    @Override
    public void close() {
        calls.close();
    }

    /** A thread for each look-up of a queue: {@code batchsqs-sender-lookup-<n>}. */
    static Executor lookUps() {
        ThreadFactory factory =
                Thread.ofVirtual().name("batchsqs-sender-lookup-", 0).factory();
        return task -> factory.newThread(task).start();
    }
}
