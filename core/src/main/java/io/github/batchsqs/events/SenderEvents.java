/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.events;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens on the send path to one queue. Every method does nothing by default.
 *
 * <p>Called on senders' and the engine's own threads, some of them for every message: implementations must be quick, must
 * not block and must not throw.
 */
public interface SenderEvents {

    /** Nobody listens. */
    SenderEvents NONE = new SenderEvents() {};

    /** A call to SQS ended; {@code errorCode} is {@code null} when it succeeded. */
    default void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {}

    /** A message was taken into the buffer; {@link #sent} or {@link #failed} follows. */
    default void buffered() {}

    /** A batch goes out. */
    default void sending(int messages, long bytes) {}

    /** That many messages of a batch that goes out were in an earlier one. */
    default void retried(int messages) {}

    /** SQS accepted a message; {@code delay} is the time since it was buffered. */
    default void sent(Duration delay) {}

    /** A buffered message failed for good. */
    default void failed(String code) {}

    /** A message was refused before it was buffered. */
    default void refused(String code) {}
}
