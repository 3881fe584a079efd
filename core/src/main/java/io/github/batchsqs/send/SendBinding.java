/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

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
        public void bind(Runnable send, Runnable abandon) {
            send.run();
        }
    };

    /** Whether the calling thread is in the middle of what its messages wait for. */
    boolean active();

    /**
     * Keeps a message back. Asked only while {@link #active()}.
     *
     * @param send hands the message on; called on success, in the order of the calls to this method. May block as
     *     {@link BatchSqsOperations#send(OutgoingMessage)} does
     * @param abandon fails the message's future; called instead on failure, and where the end is not known
     */
    void bind(Runnable send, Runnable abandon);
}
