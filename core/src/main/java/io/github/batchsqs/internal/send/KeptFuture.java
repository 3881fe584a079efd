/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendFailedException.Delivery;
import io.github.batchsqs.send.SendResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The future of a message that an {@link Outbox} stored, without the message itself. The first call completes it; later ones
 * do nothing. Its callbacks run on the thread of that call.
 *
 * @param queue the queue's name, URL or ARN, as the message has it
 * @param future the future that the caller of {@code send} has
 */
public record KeptFuture(String queue, CompletableFuture<SendResult> future) {

    /**
     * Fails futures with the code {@link SendFailedException#NOT_COMMITTED}, each on a thread of its own, because callbacks may block.
     *
     * @param futures the futures of messages whose transaction did not commit
     * @param stored whether they are stored and the end of the transaction is not known, so that they may be sent nevertheless
     */
    public static void notCommitted(List<KeptFuture> futures, boolean stored) {
        fail(futures, queue -> Refusals.notCommitted(queue, stored));
    }

    /**
     * Fails futures with the code {@link SendFailedException#IN_OUTBOX}, each on a thread of its own, because callbacks may block: nobody
     * waits for the messages any longer, and the outbox goes on sending them.
     *
     * @param futures the futures of messages that are stored
     * @param reason why the wait ends
     */
    public static void inOutbox(List<KeptFuture> futures, String reason) {
        fail(
                futures,
                queue -> new SendFailedException(
                        queue, SendFailedException.IN_OUTBOX, reason, 0, false, Delivery.UNKNOWN, null));
    }

    private static void fail(List<KeptFuture> futures, Function<String, SendFailedException> ofQueue) {
        futures.forEach(
                each -> SenderThreads.start(() -> each.future.completeExceptionally(ofQueue.apply(each.queue))));
    }
}
