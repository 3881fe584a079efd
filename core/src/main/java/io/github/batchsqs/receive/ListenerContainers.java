/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.InvalidOptionException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The containers of an application by the ids of their listeners. Safe for use by any thread.
 *
 * <p>What is done to several containers is done to all of them at once, so the slowest decides how long it takes: a stop
 * lasts as long as the longest {@code shutdown-timeout}, not their sum. Closing it stops them all; it can be used again
 * afterwards.
 */
public final class ListenerContainers implements AutoCloseable {

    private final Map<String, ListenerContainer> byId = new ConcurrentSkipListMap<>();

    /**
     * Adds a container as it is: a stopped one is not started.
     *
     * @throws InvalidOptionException if there is one with its id
     */
    public void register(ListenerContainer container) {
        String id = container.options().id();
        if (byId.putIfAbsent(id, container) != null) {
            throw new InvalidOptionException("id", "must be unique", id, "give one of the two listeners another id");
        }
    }

    /** Stops the container with this id and forgets it and its meters; does nothing if there is none. */
    public void remove(String id) {
        ListenerContainer removed = byId.remove(id);
        if (removed != null) {
            removed.stop();
            removed.removed();
        }
    }

    /** The container with this id. */
    public Optional<ListenerContainer> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    /**
     * The container with this id.
     *
     * @throws IllegalArgumentException if there is none; the message lists those that there are
     */
    public ListenerContainer get(String id) {
        return find(id).orElseThrow(() -> new IllegalArgumentException(
                "There is no listener with the id '" + id + "'; there are: " + byId.keySet()));
    }

    /** A snapshot of the containers, ordered by id. */
    public List<ListenerContainer> all() {
        return List.copyOf(byId.values());
    }

    /** Starts all containers, see {@link #start(Collection)}. */
    public void start() {
        start(all());
    }

    /**
     * Starts these containers and blocks until all of them have found their queues.
     *
     * @throws ListenerStartException if one fails; then those that this call started are stopped again, and the failures
     *     of others are suppressed in that of the first
     */
    public void start(Collection<ListenerContainer> containers) {
        var stopped = containers.stream()
                .filter(each -> each.state() == ContainerState.STOPPED)
                .toList();
        try {
            FanOutThreads.run("start", stopped, ListenerContainers::start);
        } catch (RuntimeException failure) {
            try {
                stop(stopped);
            } catch (RuntimeException stopFailure) {
                failure.addSuppressed(stopFailure);
            }
            throw failure;
        }
    }

    private static void start(ListenerContainer container) {
        try {
            container.start();
        } catch (RuntimeException failure) {
            throw new ListenerStartException(container.options().id(), failure);
        }
    }

    /** Stops all containers, see {@link #stop(Collection)}. */
    public void stop() {
        stop(all());
    }

    /** Stops these containers and blocks until all of them have stopped, each within its {@code shutdown-timeout}. */
    public void stop(Collection<ListenerContainer> containers) {
        FanOutThreads.run("stop", containers, ListenerContainer::stop);
    }

    /** Pauses all containers: nothing is received, and what was received is still handled. */
    public void pause() {
        all().forEach(ListenerContainer::pause);
    }

    /** Lets all paused containers receive again. */
    public void resume() {
        all().forEach(ListenerContainer::resume);
    }

    /** Stops all containers. */
    @Override
    public void close() {
        stop();
    }
}
