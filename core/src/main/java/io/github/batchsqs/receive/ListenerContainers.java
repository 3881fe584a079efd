/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerStartException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The containers of an application by the ids of their listeners. Safe for use by any thread.
 *
 * <p>What is done to several containers is done to all of them at once, so the slowest decides how long it takes: a stop
 * lasts as long as the longest {@code shutdown-timeout}, not their sum. Closing it stops them all; it can be used again
 * afterwards.
 */
public final class ListenerContainers implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ListenerContainer.class);

    private final Map<String, ListenerContainer> byId = new ConcurrentSkipListMap<>();

    /** Creates an empty registry. */
    public ListenerContainers() {}

    /**
     * Adds a container as it is: a stopped one is not started. Does nothing if it is registered already.
     *
     * @param container the container
     * @throws InvalidOptionException if there is another one with its id
     * @throws io.github.batchsqs.errors.BatchSqsException if it was removed
     */
    public void register(ListenerContainer container) {
        container.refuseIfRemoved();
        String id = container.options().id();
        ListenerContainer other = byId.putIfAbsent(id, container);
        if (other != null && other != container) {
            throw new InvalidOptionException("id", "must be unique", id, "give one of the two listeners another id");
        }
    }

    /**
     * Stops the container with this id, and removes it and its meters. It cannot be started or registered again, not even
     * while this call waits for its stop. Does nothing if there is none.
     *
     * @param id the listener's id
     */
    public void remove(String id) {
        ListenerContainer removed = byId.remove(id);
        if (removed != null) {
            removed.remove();
        }
    }

    /**
     * {@return the container with this id}
     *
     * @param id the listener's id
     */
    public Optional<ListenerContainer> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    /**
     * {@return the container with this id}
     *
     * @param id the listener's id
     * @throws IllegalArgumentException if there is none; the message lists those that there are
     */
    public ListenerContainer get(String id) {
        return find(id).orElseThrow(() -> new IllegalArgumentException(
                "There is no listener with the id '" + id + "'; there are: " + byId.keySet()));
    }

    /** {@return a snapshot of the containers, ordered by id} */
    public List<ListenerContainer> all() {
        return List.copyOf(byId.values());
    }

    /** Starts all containers, see {@link #start(Collection)}. */
    public void start() {
        start(all());
    }

    /**
     * Starts these containers and blocks until all of them have found their queues. One that was removed, perhaps meanwhile, is left out,
     * with a warning in the log.
     *
     * @param containers the containers, of this registry or not
     * @throws ListenerStartException if one fails; then those that this call started are stopped again, and the failures
     *     of others are suppressed in that of the first
     */
    public void start(Collection<ListenerContainer> containers) {
        List<ListenerContainer> starting = new ArrayList<>(containers);
        starting.removeIf(each -> each.state() != ContainerState.STOPPED && each.state() != ContainerState.STOPPING);
        boolean started = false;
        try {
            startAtOnce(starting);
            started = true;
        } finally {
            if (!started) {
                stop(starting);
            }
        }
    }

    private static void startAtOnce(List<ListenerContainer> containers) {
        List<CompletableFuture<Optional<ListenerStartException>>> starts = containers.stream()
                .map(each -> CompletableFuture.supplyAsync(
                        () -> failureOfStart(each),
                        start -> ContainerThreads.start(each.options().id(), start)))
                .toList();
        List<ListenerStartException> failures = starts.stream()
                .map(CompletableFuture::join)
                .flatMap(Optional::stream)
                .toList();
        if (!failures.isEmpty()) {
            ListenerStartException first = failures.getFirst();
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    private static Optional<ListenerStartException> failureOfStart(ListenerContainer container) {
        Throwable failure = ForeignCode.run(container::start); // of the resolver, for example
        if (failure != null && container.isRemoved()) { // which is no reason to stop the others
            log.warn("{}", failure.getMessage());
            return Optional.empty();
        }
        return Optional.ofNullable(failure)
                .map(e -> new ListenerStartException(container.options().id(), e));
    }

    /** Stops all containers, see {@link #stop(Collection)}. */
    public void stop() {
        stop(all());
    }

    /**
     * Stops these containers and blocks until all of them have stopped, each within its {@code shutdown-timeout}. Called in
     * a handler, it does not wait for the container of that handler, which stops when the handler has returned.
     *
     * <p>If handlers of two containers call this at the same time, they wait for each other until the {@code shutdown-timeout}.
     *
     * @param containers the containers, of this registry or not
     */
    public void stop(Collection<ListenerContainer> containers) {
        List<Run> stopping = containers.stream()
                .map(ListenerContainer::requestStop)
                .filter(Objects::nonNull)
                .toList();
        stopping.forEach(Run::awaitStopped);
    }

    /** Pauses all containers: nothing is received, and what was received is still handled. */
    public void pause() {
        all().forEach(ListenerContainer::pause);
    }

    /** Resumes all paused containers. */
    public void resume() {
        all().forEach(ListenerContainer::resume);
    }

    /** Stops all containers. */
    @Override
    public void close() {
        stop();
    }
}
