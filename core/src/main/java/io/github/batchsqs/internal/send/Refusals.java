/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendFailedException.Delivery;
import org.jspecify.annotations.Nullable;

/** Makes the failures of messages that no call has carried, by the queues that they name. */
final class Refusals {

    private Refusals() {}

    static SendFailedException before(
            String queue, String code, String reason, boolean retryable, @Nullable Throwable cause) {
        return new SendFailedException(queue, code, reason, 0, retryable, Delivery.NOT_SENT, cause);
    }

    static SendFailedException closed(String queue) {
        return before(queue, SendFailedException.CLOSED, "The template is closed", true, null);
    }

    /** Makes the failure, and interrupts the calling thread again. */
    static SendFailedException interrupted(String queue, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return before(
                queue,
                SendFailedException.INTERRUPTED,
                "The thread was interrupted before the message was buffered",
                true,
                cause);
    }

    /**
     * The failure of a message whose transaction did not commit, as far as it is known.
     *
     * @param stored whether an outbox has stored it in a transaction whose end is not known
     */
    static SendFailedException notCommitted(String queue, boolean stored) {
        return new SendFailedException(
                queue,
                SendFailedException.NOT_COMMITTED,
                stored
                        ? "It was stored in the outbox, but the end of its transaction is not known. If the transaction has"
                                + " committed, the outbox sends it; do not send it again before you have looked"
                        : "The transaction that it was bound to did not commit, or its end is not known",
                0,
                !stored,
                stored ? Delivery.UNKNOWN : Delivery.NOT_SENT,
                null);
    }
}
