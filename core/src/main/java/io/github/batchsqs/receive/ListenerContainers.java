/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.util.List;
import java.util.Optional;

/**
 * The containers of an application by the ids of their listeners. Safe for use by any thread.
 *
 * <p>What is done to several containers is done to all of them at once, so the slowest decides how long it takes: a stop
 * lasts as long as the longest {@code shutdown-timeout}, not their sum. A bean to inject.
 */
public interface ListenerContainers {

    /**
     * Stops the container with this id, and removes it and its meters. It cannot be started again, not even
     * while this call waits for its stop. Does nothing if there is none.
     *
     * @param id the listener's id
     */
    void remove(String id);

    /**
     * {@return the container with this id}
     *
     * @param id the listener's id
     */
    Optional<ListenerContainer> find(String id);

    /**
     * {@return the container with this id}
     *
     * @param id the listener's id
     * @throws IllegalArgumentException if there is none; the message lists those that there are
     */
    ListenerContainer get(String id);

    /** {@return a snapshot of the containers, ordered by id} */
    List<ListenerContainer> all();

    /**
     * Starts all containers and blocks until all of them have found their queues.
     *
     * @throws io.github.batchsqs.listener.ListenerStartException if one fails; then those that this call started are stopped again, and
     *     the failures of others are suppressed in that of the first
     */
    void start();

    /**
     * Stops all containers and blocks until all of them have stopped, each within its {@code shutdown-timeout}. Called in
     * a handler, it does not wait for the container of that handler, which stops when the handler has returned.
     *
     * <p>If handlers of two containers call this at the same time, they wait for each other until the {@code shutdown-timeout}.
     */
    void stop();

    /** Pauses all containers: nothing is received, and what was received is still handled. */
    void pause();

    /** Resumes all paused containers. */
    void resume();
}
