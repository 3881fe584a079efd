/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.events;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens on one listener's receive path. Every method does nothing by default.
 *
 * <p>With Spring Boot, every bean of this type receives the events of all listeners of the application. {@link #forListener}
 * gives each listener a receiver of its own.
 *
 * <p>Called on the engine's own threads, some of them for every message: implementations must be quick and must not block. What
 * they throw is logged, at most once a minute, and has no other effect.
 */
public interface ListenerEvents {

    /** Nobody listens. */
    ListenerEvents NONE = new ListenerEvents() {};

    /**
     * Returns the receiver of the events of one listener. Called for each bean of this type when a listener is created, once.
     * What it throws is logged; the listener is created all the same, and this object receives none of its events.
     *
     * @param listener the id of the listener
     * @param queue the name of its queue
     * @param client the name of its client, {@code default} without one of {@code batchsqs.clients}
     * @return this object, unless an implementation returns another one
     */
    default ListenerEvents forListener(String listener, String queue, String client) {
        return this;
    }

    /** The listener runs: its queue was found, and receives begin. */
    default void started() {}

    /**
     * The listener that had {@link #started} has stopped, and its state is {@code STOPPED}: it receives nothing, and no
     * handler starts. A handler that ignores the interrupt of a late stop may still run; its messages were returned to the
     * queue, or come back when their visibility timeout ends. Called after {@code started} has returned, and before the next
     * one.
     */
    default void stopped() {}

    /**
     * A call to SQS ended.
     *
     * @param operation the call's name in SQS, for example {@code ReceiveMessage}
     * @param entries the number of entries of the call
     * @param took the duration of the call
     * @param errorCode the error code, or {@code null} if the call succeeded
     */
    default void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {}

    /**
     * A receive returned.
     *
     * @param messages the number of its messages, 0 to 10
     */
    default void received(int messages) {}

    /**
     * An invocation starts.
     *
     * @param batchSize the number of messages in its batch
     * @param delay the time since SQS accepted the oldest message of the batch
     */
    default void invoking(int batchSize, Duration delay) {}

    /**
     * An invocation ended; the counts add up to the size of its batch.
     *
     * @param done the number of messages that were handled
     * @param failed the number of messages that failed
     * @param took the duration of the invocation
     */
    default void invoked(int done, int failed, Duration took) {}

    /** A payload could not be converted. */
    default void conversionFailed() {}

    /**
     * SQS accepted deletes.
     *
     * @param messages the number of deleted messages
     */
    default void acknowledged(int messages) {}

    /**
     * A delete failed for good: its lease ended before SQS accepted it. From now on nothing behind the message in its group
     * starts here, and the message is deleted if it comes again.
     */
    default void acknowledgeFailed() {}

    /**
     * Messages were returned to the queue.
     *
     * @param messages the number of messages
     */
    default void released(int messages) {}

    /**
     * A message was moved to a dead-letter queue. Called when its delete was accepted, too, or was given up.
     */
    default void deadLettered() {}

    /**
     * Leases were extended.
     *
     * @param messages the number of messages
     */
    default void leaseExtended(int messages) {}

    /** A lease was lost: the message may be running elsewhere. */
    default void leaseLost() {}

    /**
     * A message failed. Called for each failed message, before its settlement.
     *
     * @param messageId the message's id
     * @param cause the exception that failed it
     */
    default void failed(String messageId, Throwable cause) {}

    /**
     * A part of the engine, or something that it called, threw an unforeseen exception. The engine continues: it settles the
     * messages concerned, or has begun to return them to the queue.
     *
     * @param stage where it was caught: {@code fetch}, {@code handoff}, {@code invoke}, {@code settle}, {@code timer},
     *     {@code start} or {@code stop}
     * @param failure the exception
     */
    default void unexpected(String stage, Throwable failure) {}

    /** The listener was stopped and removed; nothing follows. */
    default void removed() {}
}
