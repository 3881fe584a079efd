/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Watches messages on their way, and gives them headers to take along. Must be quick and must not throw. */
@FunctionalInterface
public interface SendObserver {

    /** Nobody watches. */
    SendObserver NONE = (message, queue) -> Sending.UNOBSERVED;

    /**
     * A valid message was passed to the template. Called on the sender's thread.
     *
     * @param message the message
     * @param queue the queue's name
     * @return the observer of this message
     */
    Sending started(OutgoingMessage message, String queue);

    /** The way of one message. */
    interface Sending {

        /** Nobody watches. */
        Sending UNOBSERVED = new Sending() {};

        /**
         * Returns message attributes of type {@code String} to add, the most important one first. An attribute that the
         * message already has is unchanged. Attributes that do not fit (ten attributes, the maximum size) are omitted.
         *
         * @return the attributes by name
         */
        default Map<String, String> headers() {
            return Map.of();
        }

        /**
         * SQS accepted the message, or it failed and is not sent again. Called on any thread. One of the two is
         * {@code null}.
         *
         * @param result the ids that SQS assigned, or {@code null} if the message failed
         * @param failure the reason, or {@code null} if SQS accepted the message
         */
        default void ended(@Nullable SendResult result, @Nullable Throwable failure) {}
    }
}
