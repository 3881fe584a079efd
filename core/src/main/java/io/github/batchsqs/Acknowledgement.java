/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * Settles messages by hand, for listeners with {@code acknowledge.mode: manual}.
 *
 * <p>May be called during the invocation or after it, by any thread; a message that was settled stays settled, a second
 * call for it changes nothing and returns the first call's promise. In manual mode a message that is never settled keeps
 * its lease up to {@code visibility.max-extension} and then becomes visible again. In the other modes every call fails
 * with {@link IllegalStateException}, because the outcome of the invocation settles the messages there.
 */
public interface Acknowledgement {

    /** Deletes all messages of the batch. The promise completes when SQS accepted the last delete. */
    CompletableFuture<Void> acknowledge();

    /** Deletes these messages of the batch. The promise completes when SQS accepted the last delete. */
    CompletableFuture<Void> acknowledge(Collection<? extends SqsMessage<?>> messages);

    /**
     * Gives all messages of the batch back, to be delivered again.
     *
     * @param after 0 to 12 hours from now
     */
    CompletableFuture<Void> nack(Duration after);

    /**
     * Gives these messages of the batch back, to be delivered again.
     *
     * @param after 0 to 12 hours from now
     */
    CompletableFuture<Void> nack(Collection<? extends SqsMessage<?>> messages, Duration after);
}
