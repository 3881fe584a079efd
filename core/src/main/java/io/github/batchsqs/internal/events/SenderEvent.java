/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.events;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What happens on the send path to one queue. A {@code switch} over it without a {@code default} sees each new event at compile time. */
public sealed interface SenderEvent {

    /**
     * A call to SQS ended.
     *
     * @param operation the call's name in SQS, for example {@code SendMessageBatch}
     * @param entries the number of entries of the call
     * @param took the duration of the call
     * @param errorCode the error code, or {@code null} if the call succeeded
     */
    record ApiCall(
            String operation,
            int entries,
            Duration took,
            @Nullable String errorCode) implements SenderEvent {}

    /**
     * A call of a receive through the template ended: the receive, or a delete or visibility change of messages that one brought.
     *
     * @param operation the call's name in SQS, for example {@code ReceiveMessage}
     * @param messages the number of messages of the call
     * @param took the duration of the call
     * @param errorCode the error code, or {@code null} if the call succeeded
     */
    record ReceiveCall(
            String operation,
            int messages,
            Duration took,
            @Nullable String errorCode) implements SenderEvent {}

    /**
     * Messages were taken into the buffer; {@link Sent} or {@link Failed} follows for each.
     *
     * @param messages the number of messages
     */
    record Buffered(int messages) implements SenderEvent {}

    /**
     * A call with a batch starts.
     *
     * @param messages the number of messages in the batch
     * @param bytes the size of the batch as SQS counts it
     */
    record Sending(int messages, long bytes) implements SenderEvent {}

    /**
     * A call starts with messages that an earlier call already had.
     *
     * @param messages the number of those messages
     */
    record Retried(int messages) implements SenderEvent {}

    /**
     * SQS accepted a message.
     *
     * @param delayNanos the nanoseconds since the message was buffered
     */
    record Sent(long delayNanos) implements SenderEvent {}

    /**
     * A buffered message failed and is not sent again.
     *
     * @param code see {@link io.github.batchsqs.send.SendFailedException#code()}
     */
    record Failed(String code) implements SenderEvent {}

    /**
     * A message was refused before it was buffered.
     *
     * @param code see {@link io.github.batchsqs.send.SendFailedException#code()}
     */
    record Refused(String code) implements SenderEvent {}
}
