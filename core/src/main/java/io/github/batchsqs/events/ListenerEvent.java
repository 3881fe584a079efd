/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.events;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What happens on one listener's receive path. A {@code switch} over it without a {@code default} sees each new event at compile time. */
public sealed interface ListenerEvent {

    /** The listener runs: its queue was found, and receives begin. */
    record Started() implements ListenerEvent {}

    /**
     * The listener that had {@link Started} has stopped, and its state is {@code STOPPED}: it receives nothing, and no
     * handler starts. A handler that ignores the interrupt of a late stop may still run; its messages were returned to the
     * queue, or come back when their visibility timeout ends. Reported after {@code Started} was, and before the next one.
     */
    record Stopped() implements ListenerEvent {}

    /**
     * A call to SQS ended.
     *
     * @param operation the call's name in SQS, for example {@code ReceiveMessage}
     * @param entries the number of entries of the call; of a receive, the number of messages that it returned, 0 to 10
     * @param took the duration of the call
     * @param errorCode the error code, or {@code null} if the call succeeded
     */
    record ApiCall(
            String operation,
            int entries,
            Duration took,
            @Nullable String errorCode) implements ListenerEvent {}

    /**
     * Receives fail, and the log has a line of it: at most one outage a minute, and one that begins within that minute
     * when every receive has failed for 5 s, or at once if its error code is another one. They are tried again until
     * they succeed.
     *
     * @param errorCode the error code of SQS, or the name of the exception
     */
    record ReceivesFailing(String errorCode) implements ListenerEvent {}

    /**
     * A receive succeeded after {@link ReceivesFailing}. Not reported if the listener was stopped in between.
     *
     * @param failedFor the time since the first of the receives that failed, or since SQS fell silent
     */
    record ReceivesRecovered(Duration failedFor) implements ListenerEvent {}

    /**
     * An invocation starts.
     *
     * @param messages the number of messages in its batch
     * @param delayNanos the nanoseconds since SQS accepted the oldest message of the batch
     */
    record Invoking(int messages, long delayNanos) implements ListenerEvent {

        /** {@return the time since SQS accepted the oldest message of the batch} */
        public Duration delay() {
            return Duration.ofNanos(delayNanos);
        }
    }

    /**
     * An invocation ended; the counts add up to the size of its batch.
     *
     * @param done the number of messages that were handled
     * @param failed the number of messages that failed
     * @param tookNanos the duration of the invocation in nanoseconds
     */
    record Invoked(int done, int failed, long tookNanos) implements ListenerEvent {

        /** {@return the duration of the invocation} */
        public Duration took() {
            return Duration.ofNanos(tookNanos);
        }
    }

    /** A payload could not be converted. */
    record ConversionFailed() implements ListenerEvent {}

    /**
     * SQS accepted deletes.
     *
     * @param messages the number of deleted messages
     */
    record Acknowledged(int messages) implements ListenerEvent {}

    /**
     * A delete failed for good: its lease ended before SQS accepted it. From now on nothing behind the message in its group
     * starts here, and the message is deleted if it comes again.
     */
    record AcknowledgeFailed() implements ListenerEvent {}

    /**
     * Messages were returned to the queue.
     *
     * @param messages the number of messages
     */
    record Released(int messages) implements ListenerEvent {}

    /** A message was moved to a dead-letter queue. Its delete was accepted, too, or was given up. */
    record DeadLettered() implements ListenerEvent {}

    /**
     * Leases were extended.
     *
     * @param messages the number of messages
     */
    record LeaseExtended(int messages) implements ListenerEvent {}

    /** A lease was lost: the message may be running elsewhere. */
    record LeaseLost() implements ListenerEvent {}

    /**
     * A message failed. Reported for each failed message, before its settlement.
     *
     * @param messageId the message's id
     * @param cause the exception that failed it
     */
    record Failed(String messageId, Throwable cause) implements ListenerEvent {}

    /**
     * A part of the engine, or something that it called, threw an unforeseen exception. The engine continues: it settles the
     * messages concerned, or has begun to return them to the queue.
     *
     * @param stage where it was caught: {@code fetch}, {@code handoff}, {@code invoke}, {@code settle},
     *     {@code start} or {@code stop}
     * @param failure the exception
     */
    record Unexpected(String stage, Throwable failure) implements ListenerEvent {}

    /**
     * The engine failed, so that the listener stops, and starts again by itself.
     *
     * @param failure what nobody foresaw
     */
    record Restarting(Throwable failure) implements ListenerEvent {}

    /** The listener was stopped and removed; nothing follows. */
    record Removed() implements ListenerEvent {}
}
