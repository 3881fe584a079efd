/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.send.SendFailedException;
import java.util.function.Supplier;

/**
 * Binds what a thread sends to something of that thread that must succeed first, such as a transaction.
 *
 * <p>Called by the thread that sends, without any lock. Does not throw.
 */
public interface SendBinding {

    /** Nothing is bound; messages go out at once. */
    SendBinding NONE = () -> false;

    /** {@return whether messages of the calling thread must wait, for example for the end of its transaction} */
    boolean active();

    /**
     * {@return what the calling thread's transaction keeps back} Called only while {@link #active()}, for each message.
     *
     * @param first makes it, for the first message of a transaction; each transaction has its own, also a suspended one
     */
    default BoundMessages bound(Supplier<BoundMessages> first) {
        throw new UnsupportedOperationException("This binding keeps no messages back");
    }

    /**
     * {@return whether messages of the calling thread are stored by an {@link Outbox} instead of being bound} Only while {@link
     * #active()}. Their queues are looked up when the outbox sends them.
     */
    default boolean stores() {
        return false;
    }

    /**
     * Keeps a message until the transaction of the calling thread stores it. Called only while {@link #stores()}.
     *
     * @param message the message
     */
    default void store(KeptMessage message) {
        throw new UnsupportedOperationException("This binding stores no messages");
    }

    /**
     * A message of the calling thread could not be taken; its future has failed. A binding whose messages belong to the work of a
     * transaction fails the thread's transaction, if there is one.
     *
     * @param failure why
     */
    default void failed(SendFailedException failure) {}
}
