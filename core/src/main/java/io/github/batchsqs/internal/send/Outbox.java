/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.send.SendFailedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores the messages of a transaction with the transaction, and sends them after its commit with {@link
 * BatchSqsTemplate#sendStored}. Safe for use by any number of threads.
 */
public interface Outbox {

    /** {@link SendFailedException#code()} of a message that was not sent, because one ahead of it in its group has to be sent again. */
    String BEHIND_UNSENT = "BehindUnsent";

    /**
     * Marks the transaction of the calling thread, at its first message and before {@link #store}. A failure of it fails the commit.
     *
     * @return what shows before the commit whether it is still the same transaction
     */
    default Mark begin() {
        return () -> true;
    }

    /** A mark of one transaction. Some databases undo a whole transaction after a deadlock, and go on with another one. */
    @FunctionalInterface
    interface Mark {

        /** {@return whether the mark was there} Called just before the messages are stored. */
        boolean remove();
    }

    /**
     * Stores messages in the transaction of the calling thread, just before it commits. If this method throws, the transaction is
     * rolled back. A transaction that sends while it commits may store a second time.
     *
     * @param client the name of the client that sends them
     * @param messages the messages, in the order in which the transaction sent them
     * @return what receives the end of the transaction
     */
    Batch store(String client, List<KeptMessage> messages);

    /**
     * Takes messages that were sent too late for {@link #store}, while their transaction committed, and stores them soon, in a
     * transaction of its own. Must not block and must not throw.
     *
     * @param client the name of the client that sends them
     * @param messages the messages, in order
     * @param mark of their transaction, to be removed: the first one may have been sent behind the commit; {@code null} if there is none
     */
    void storeLate(String client, List<KeptMessage> messages, @Nullable Mark mark);

    /** The stored messages of a transaction. Either method is called once. */
    interface Batch {

        /** The transaction has committed. The outbox completes the futures. Must not block and must not throw. */
        void committed();

        /**
         * The transaction did not commit, or its end is not known; the futures have failed. Messages that are stored nevertheless are
         * sent. Must not throw.
         */
        void notCommitted();
    }

    /**
     * {@return whether a stored message that failed so is to be sent again later: all failures but those that SQS or the sender
     * blames on the message itself} A missing permission is an example. Messages of its group wait for it.
     *
     * @param failure the failure of {@link BatchSqsTemplate#sendStored}
     */
    static boolean isSentAgain(SendFailedException failure) {
        return !SendCallFailures.isFinal(failure.code(), failure.getMessage());
    }

    /** {@return whether others of its queue may pass while this message does not, whether it is sent again or not} */
    static boolean blamesMessage(SendFailedException failure) {
        return SendCallFailures.isFinal(failure.code(), null)
                || failure.code().equals(SendFailedException.PAYLOAD_NOT_STORED);
    }
}
