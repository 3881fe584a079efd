/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Watches messages on their way, and gives them headers to take along. Must be quick and must not throw. */
@FunctionalInterface
public interface SendObserver {

    /** Nobody watches. */
    SendObserver NONE = (message, queue) -> Sending.UNOBSERVED;

    /** A message that keeps the rules was given to the template; on the sender's thread. */
    Sending started(OutgoingMessage message, String queue);

    /** The way of one message. */
    interface Sending {

        /** Nobody watches. */
        Sending UNOBSERVED = new Sending() {};

        /**
         * Message attributes of type {@code String} to add, the most important one first. One that the message has stays
         * as it is, and what does not fit (ten attributes, the byte limit) is left out.
         */
        default Map<String, String> headers() {
            return Map.of();
        }

        /** SQS accepted the message, or it failed for good; on any thread. One of the two is {@code null}. */
        default void ended(@Nullable SendResult result, @Nullable Throwable failure) {}
    }
}
