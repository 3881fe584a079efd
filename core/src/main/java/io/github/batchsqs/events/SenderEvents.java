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

    /**
     * A call to SQS ended.
     *
     * @param operation the call's name in SQS, for example {@code SendMessageBatch}
     * @param entries the number of entries of the call
     * @param took the duration of the call
     * @param errorCode the error code, or {@code null} if the call succeeded
     */
    default void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {}

    /**
     * A call of a receive through the template ended: the receive, or a delete or visibility change of messages that one brought.
     *
     * @param operation the call's name in SQS, for example {@code ReceiveMessage}
     * @param messages the number of messages of the call
     * @param took the duration of the call
     * @param errorCode the error code, or {@code null} if the call succeeded
     */
    default void receiveCall(String operation, int messages, Duration took, @Nullable String errorCode) {}

    /** A message was taken into the buffer; {@link #sent} or {@link #failed} follows. */
    default void buffered() {}

    /** A message that was {@link #buffered} was handed to another sender of the same queue, which reports it again. */
    default void unbuffered() {}

    /**
     * A call with a batch starts.
     *
     * @param messages the number of messages in the batch
     * @param bytes the size of the batch as SQS counts it
     */
    default void sending(int messages, long bytes) {}

    /**
     * A call starts with messages that an earlier call already had.
     *
     * @param messages the number of those messages
     */
    default void retried(int messages) {}

    /**
     * SQS accepted a message.
     *
     * @param delay the time since the message was buffered
     */
    default void sent(Duration delay) {}

    /**
     * A buffered message failed and is not sent again.
     *
     * @param code see {@link io.github.batchsqs.send.SendFailedException#code()}
     */
    default void failed(String code) {}

    /**
     * A message was refused before it was buffered.
     *
     * @param code see {@link io.github.batchsqs.send.SendFailedException#code()}
     */
    default void refused(String code) {}
}
