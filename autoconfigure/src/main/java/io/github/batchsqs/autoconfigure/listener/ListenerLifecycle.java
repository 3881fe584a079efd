/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.listener.ListenerStartException;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
 * <p>Between start and stop it keeps the application alive, also for listeners that do not start automatically.
 */
final class ListenerLifecycle implements SmartLifecycle {

    static final int DEFAULT_PHASE = Integer.MAX_VALUE;

    private final int phase;
    private final ListenerContainers containers;
    private final List<ListenerContainer> starting;
    private final List<ListenerContainer> stopping;
    private final StartFailures startFailures;
    private volatile @Nullable KeepAlive running;

    /**
     * @param starting the containers that start automatically
     * @param stopping all containers of the phase
     */
    ListenerLifecycle(
            int phase,
            ListenerContainers containers,
            List<ListenerContainer> starting,
            List<ListenerContainer> stopping,
            StartFailures startFailures) {
        this.phase = phase;
        this.containers = containers;
        this.starting = List.copyOf(starting);
        this.stopping = List.copyOf(stopping);
        this.startFailures = startFailures;
    }

    @Override
    public void start() {
        running = KeepAlive.start();
        try {
            containers.start(starting);
        } catch (ListenerStartException failure) {
            ended();
            throw startFailures.explain(failure, containers.get(failure.listener()));
        } catch (RuntimeException | Error failure) {
            ended();
            throw failure;
        }
    }

    @Override
    public void stop() {
        try {
            containers.stop(stopping);
        } finally {
            ended();
        }
    }

    private void ended() {
        KeepAlive keepAlive = running;
        running = null;
        if (keepAlive != null) {
            keepAlive.close();
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    @Override
    public int getPhase() {
        return phase;
    }
}
