/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.events.ListenerEventPublisher;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerStartException;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the containers with the application.
 *
 * <p>It has the highest phase that there is: listeners start last, when all that their handlers use is up, and
 * stop first, when all of it is still there. Boot's web server is below it, by 1024 for its graceful shutdown and by 2048
 * for the server itself, so it serves its last requests after the listeners have stopped. Lifecycle beans that
 * handlers use, directly or through others, are dependencies of this one: whatever their phase, they start before and stop
 * after it.
 *
 * <p>A stop blocks until every container has stopped, each within its own {@code shutdown-timeout} and all at once. Because
 * it blocks, {@code spring.lifecycle.timeout-per-shutdown-phase} does not cut it short.
 *
 * <p>The first start starts the containers with {@code auto-startup}. A start after a stop, as of a paused test context,
 * starts those that the stop has stopped, and those that had not started again because of a problem. One that was paused stays
 * stopped: whoever paused it did not want it to receive.
 *
 * <p>A container that {@link ListenerContainers} no longer has is not touched, nor kept in memory.
 */
final class ListenerLifecycle implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(ListenerLifecycle.class);

    private final ListenerContainers containers;
    private final StartFailures startFailures;
    private final ListenerEventPublisher publisher;
    private final Set<ListenerContainer> members =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    private final Set<ListenerContainer> starting = new CopyOnWriteArraySet<>();
    /** Those that were paused when they were stopped. */
    private final Set<ListenerContainer> paused = new CopyOnWriteArraySet<>();

    private volatile boolean running;

    ListenerLifecycle(ListenerContainers containers, StartFailures startFailures, ListenerEventPublisher publisher) {
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
        logPaused();
    }

    private void logPaused() {
        present()
                .filter(paused::contains)
                .filter(container -> container.state() == ContainerState.STOPPED)
                .forEach(container -> log.info(
                        "Listener {}: it was paused when the application context stopped, and stays stopped; to start it,"
                                + " call ListenerContainer#start or the operation start of the actuator endpoint",
                        container.options().id()));
        paused.clear();
    }

    @Override
    public void stop() {
        List<ListenerContainer> stopping = present().toList();
        stopping.forEach(this::noteState);
        try {
            containers.stop(stopping);
            publisher.flushAtStop();
        } finally {
            running = false;
        }
    }

    /** Decides what the next start does with the container. */
    private void noteState(ListenerContainer container) {
        ContainerStatus status = container.status();
        switch (status.state()) {
            case STARTING, RUNNING -> starting.add(container);
            case PAUSED -> {
                starting.remove(container);
                paused.add(container);
            }
            case STOPPED -> {
                if (status.problem() != null) { // it should run; the stop forgets the problem
                    starting.add(container);
                }
            }
            case STOPPING -> {}
        }
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
        return Integer.MAX_VALUE;
    }
}
