/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.events;

import java.time.Duration;

/**
 * An application event about a listener, for methods with {@code @EventListener}:
 *
 * <pre>{@code
 * @EventListener
 * void on(ListenerApplicationEvent.ReceivesFailing event) {
 *     pager.call(event.listener(), event.errorCode());
 * }
 * }</pre>
 *
 * <p>Only rare things are events; meters count the rest. The events of all listeners are published one after another on a
 * thread of their own, soon after they happen, so that a slow method delays later events and no message. What such a
 * method throws is logged and has no other effect. Events that count messages count all since the event before. Closing the
 * application waits up to a second in all until the events are published.
 */
public sealed interface ListenerApplicationEvent {

    /** {@return the id of the listener} */
    String listener();

    /** {@return the name of its queue} */
    String queue();

    /** {@return the name of its client, {@code default} without one of {@code batchsqs.clients}} */
    String client();

    /**
     * The listener runs: its queue was found, and receives begin.
     *
     * @param listener the id of the listener
     * @param queue the name of its queue
     * @param client the name of its client
     */
    record Started(String listener, String queue, String client) implements ListenerApplicationEvent {}

    /**
     * The listener has stopped: it receives nothing, and no handler starts. A handler that ignores the interrupt of a late
     * stop may still run; its messages were returned to the queue, or come back when their visibility timeout ends.
     *
     * @param listener the id of the listener
     * @param queue the name of its queue
     * @param client the name of its client
     */
    record Stopped(String listener, String queue, String client) implements ListenerApplicationEvent {}

    /**
     * Receives fail, and the log has a line of it: at most one outage a minute, and one that begins within that minute when every receive has
     * failed for 5 s, or at once if its error code is another one. Failed receives are tried again until they succeed.
     *
     * @param listener the id of the listener
     * @param queue the name of its queue
     * @param client the name of its client
     * @param errorCode the error code of SQS, or the name of the exception
     */
    record ReceivesFailing(String listener, String queue, String client, String errorCode)
            implements ListenerApplicationEvent {}

    /**
     * A receive succeeds after {@link ReceivesFailing}. Not published if the listener was stopped in between.
     *
     * @param listener the id of the listener
     * @param queue the name of its queue
     * @param client the name of its client
     * @param failedFor the time since the first of the receives that failed, or since SQS fell silent
     */
    record ReceivesRecovered(String listener, String queue, String client, Duration failedFor)
            implements ListenerApplicationEvent {}

    /**
     * Leases of messages were lost: the messages may be running elsewhere as well.
     *
     * @param listener the id of the listener
     * @param queue the name of its queue
     * @param client the name of its client
     * @param messages the number of messages
     */
    record LeasesLost(String listener, String queue, String client, int messages) implements ListenerApplicationEvent {}

    /**
     * The listener has moved messages to a dead-letter queue. What SQS moves by itself is no event.
     *
     * @param listener the id of the listener
     * @param queue the name of its queue, not of the dead-letter queue
     * @param client the name of its client
     * @param messages the number of messages
     */
    record DeadLettered(String listener, String queue, String client, int messages)
            implements ListenerApplicationEvent {}

    /**
     * Deletes of messages failed for good: the messages were processed, and come again.
     *
     * @param listener the id of the listener
     * @param queue the name of its queue
     * @param client the name of its client
     * @param messages the number of messages
     */
    record AcknowledgementsFailed(String listener, String queue, String client, int messages)
            implements ListenerApplicationEvent {}
}
