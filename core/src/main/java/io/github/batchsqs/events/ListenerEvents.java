/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.events;

/**
 * Receives what happens on one listener's receive path.
 *
 * <p>With Spring Boot, every bean of this type receives the events of all listeners of the application. {@link #forListener}
 * gives each listener a receiver of its own.
 */
@FunctionalInterface
public interface ListenerEvents {

    /** Nobody listens. */
    ListenerEvents NONE = event -> {};

    /**
     * Something happened. Called on the engine's own threads, some of them for every batch: implementations must be quick and
     * must not block. What they throw is logged, at most once a minute, and has no other effect.
     *
     * @param event what happened
     */
    void on(ListenerEvent event);

    /**
     * Returns the receiver of the events of one listener. Called for each bean of this type when a listener is created, once.
     * What it throws ends the creation of the listener, and with it the start of the application.
     *
     * @param listener the id of the listener
     * @param queue the name of its queue
     * @param client the name of its client, {@code default} without one of {@code batchsqs.clients}
     * @return this object, unless an implementation returns another one
     */
    default ListenerEvents forListener(String listener, String queue, String client) {
        return this;
    }
}
