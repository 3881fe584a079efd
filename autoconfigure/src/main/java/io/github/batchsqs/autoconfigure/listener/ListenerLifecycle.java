/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.autoconfigure.events.ListenerEventPublisher;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerStartException;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Stream;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the containers of one phase with the application.
 *
 * <p>The default is the highest phase that there is: listeners start last, when all that their handlers use is up, and
 * stop first, when all of it is still there. Boot's web server is below it, by 1024 for its graceful shutdown and by 2048
 * for the server itself, so it serves its last requests after the listeners have stopped. Lifecycle beans that
 * handlers use, directly or through others, are dependencies of this one: whatever their phase, they start before and stop
 * after it.
 *
 * <p>A stop blocks until every container has stopped, each within its own {@code shutdown-timeout} and all at once. Because
 * it blocks, {@code spring.lifecycle.timeout-per-shutdown-phase} does not cut it short.
 *
 * <p>The first start starts the containers with {@code auto-startup}. A start after a stop, as of a paused test context,
 * starts those that the stop has stopped.
 *
 * <p>A container that {@link ListenerContainers} no longer has is not touched, nor kept in memory.
 */
final class ListenerLifecycle implements SmartLifecycle {

    static final int DEFAULT_PHASE = Integer.MAX_VALUE;

    /** The application's beans get their events as long as they are there, but a slow one must not delay the stop. */
    private static final Duration EVENTS_AT_STOP = Duration.ofSeconds(1);

    private final int phase;
    private final ListenerContainers containers;
    private final StartFailures startFailures;
    private final ListenerEventPublisher publisher;
    private final Set<ListenerContainer> members =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    private final Set<ListenerContainer> starting = new CopyOnWriteArraySet<>();
    private volatile boolean running;

    ListenerLifecycle(
            int phase, ListenerContainers containers, StartFailures startFailures, ListenerEventPublisher publisher) {
        this.phase = phase;
        this.containers = containers;
        this.startFailures = startFailures;
        this.publisher = publisher;
    }

    /** Adds a container, which the next start starts if it starts automatically. */
    void add(ListenerContainer container, boolean startsAutomatically) {
        members.add(container);
        if (startsAutomatically) {
            starting.add(container);
        }
    }

    /** Returns whether it has no container. */
    boolean isEmpty() {
        return members.isEmpty();
    }

    @Override
    public void start() {
        running = true;
        try {
            containers.start(present().filter(starting::contains).toList());
        } catch (ListenerStartException failure) {
            running = false;
            throw startFailures.explain(failure, containers.get(failure.listener()));
        } catch (RuntimeException | Error failure) {
            running = false;
            throw failure;
        }
        starting.clear();
    }

    @Override
    public void stop() {
        List<ListenerContainer> stopping = present().toList();
        starting.addAll(stopping.stream().filter(ListenerLifecycle::runs).toList());
        try {
            containers.stop(stopping);
            publisher.flush(EVENTS_AT_STOP);
        } finally {
            running = false;
        }
    }

    private static boolean runs(ListenerContainer container) {
        ContainerState state = container.state();
        return state != ContainerState.STOPPED && state != ContainerState.STOPPING;
    }

    /** Returns the containers that are still there. */
    Stream<ListenerContainer> present() {
        return containers.all().stream().filter(members::contains);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return phase;
    }
}
