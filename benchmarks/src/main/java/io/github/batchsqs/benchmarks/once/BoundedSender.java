/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.send.SendResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** Transactions that send; they wait while too many messages are not yet accepted by SQS. Safe for use by any thread. */
final class BoundedSender {

    /** Messages that are not yet accepted. */
    static final int WAITING = 2_000;

    private final SenderApplication application;
    private final String queue;
    private final Runnable accepted;
    private final Consumer<Throwable> failed;
    private final Semaphore permits;

    /**
     * Prepares it.
     *
     * @param waiting the maximum number of messages that are not yet accepted
     * @param accepted called once for each message
     * @param failed the same
     */
    BoundedSender(
            SenderApplication application, String queue, int waiting, Runnable accepted, Consumer<Throwable> failed) {
        this.application = application;
        this.queue = queue;
        this.accepted = accepted;
        this.failed = failed;
        this.permits = new Semaphore(waiting);
    }

    /** Waits until so many messages may be sent, before each transaction. */
    void awaitRoom(int messages) throws InterruptedException {
        permits.acquire(messages);
    }

    /** Returns when the transaction has committed. */
    void transaction(long number, int messages) {
        for (CompletableFuture<SendResult> message : application.transaction(queue, number, messages)) {
            var unused = message.whenComplete((result, failure) -> {
                permits.release();
                if (failure == null) {
                    accepted.run();
                } else {
                    failed.accept(failure);
                }
            });
        }
    }
}
