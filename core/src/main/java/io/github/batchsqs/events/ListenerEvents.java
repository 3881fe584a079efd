/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.events;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens on one listener's receive path. Every method does nothing by default.
 *
 * <p>Called on the engine's own threads, some of them for every message: implementations must be quick, must not block and
 * must not throw.
 */
public interface ListenerEvents {

    /** Nobody listens. */
    ListenerEvents NONE = new ListenerEvents() {};

    /** A call to SQS ended; {@code errorCode} is {@code null} when it succeeded. */
    default void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {}

    /** A receive brought messages (0 to 10). */
    default void received(int messages) {}

    /** An invocation starts; {@code delay} is the time since SQS accepted its oldest message. */
    default void invoking(int batchSize, Duration delay) {}

    /** An invocation ended; the counts add up to its batch. */
    default void invoked(int done, int failed, Duration took) {}

    /** A payload could not be converted. */
    default void conversionFailed() {}

    /** SQS accepted deletes. */
    default void acknowledged(int messages) {}

    /** A delete failed for good: its lease ended before SQS accepted it. */
    default void acknowledgeFailed() {}

    /** Messages were given back. */
    default void released(int messages) {}

    /** A message was moved to a dead-letter queue. */
    default void deadLettered() {}

    /** Leases were extended. */
    default void leaseExtended(int messages) {}

    /** A lease was lost: the message may be running elsewhere. */
    default void leaseLost() {}

    /** A message failed; called for each, before its settlement. */
    default void failed(String messageId, Throwable cause) {}

    /** The listener was stopped and removed; nothing follows. */
    default void removed() {}
}
