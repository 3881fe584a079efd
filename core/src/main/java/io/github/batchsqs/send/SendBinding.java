/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.util.List;
import java.util.function.Supplier;

/**
 * Binds what a thread sends to something of that thread that must succeed first, such as a transaction.
 *
 * <p>Called by the thread that sends, without any lock. Does not throw.
 */
public interface SendBinding {

    /** Nothing is bound; messages go out at once. */
    SendBinding NONE = new SendBinding() {
        @Override
        public boolean active() {
            return false;
        }

        @Override
        public Bound bound(Supplier<Bound> first) {
            return first.get();
        }
    };

    /** {@return whether messages of the calling thread must wait, for example for the end of its transaction} */
    boolean active();

    /**
     * {@return what the calling thread's transaction keeps back} Called only while {@link #active()}, for each message.
     *
     * @param first makes it, for the first message of a transaction; each transaction has its own, also a suspended one
     */
    Bound bound(Supplier<Bound> first);

    /**
     * A message of the calling thread could not be taken; its future has failed. A binding whose messages belong to the work of a
     * transaction fails the thread's transaction, if there is one.
     *
     * @param failure why
     * @param first makes what the transaction keeps back, if it was its first message
     */
    default void failed(SendFailedException failure, Supplier<Bound> first) {}

    /**
     * The messages that one transaction keeps back. {@link #committed()} or {@link #abandoned()} is called, once, when the
     * transaction ends.
     */
    interface Bound {

        /** {@return how many messages are kept back now, for a savepoint} */
        int size();

        /** {@return the messages that are kept back now, in order, for an outbox} */
        List<KeptMessage> messages();

        /**
         * Drops the first messages: they are stored in an outbox, which completes their futures, and the transaction has
         * committed.
         *
         * @param count the number of messages
         */
        void stored(int count);

        /**
         * Fails the first messages, as ones that may be sent nevertheless: they are stored in an outbox, and the end of the transaction
         * is not known.
         *
         * @param count the number of messages
         */
        void unknown(int count);

        /**
         * Fails all messages but the first ones: the transaction was rolled back to a savepoint.
         *
         * @param first the number of messages that stay
         */
        void abandonedAfter(int first);

        /** Hands the messages on, in order. Does not block: they have had their room in the buffer since they were sent. */
        void committed();

        /** Fails the messages: the transaction did not commit, or its end is not known. */
        void abandoned();
    }
}
