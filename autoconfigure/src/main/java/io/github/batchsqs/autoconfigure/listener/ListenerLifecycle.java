/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.receive.ListenerStartException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the containers of one phase with the application.
 *
 * <p>The default is the highest phase that there is: listeners start last, when all that their handlers use is up, and
 * stop first, when all of it is still there. Boot's web server is below it, by 1024 for its graceful shutdown and by 2048
 * for the server itself, so it answers its last requests while the listeners have stopped already. Lifecycle beans that
 * handlers use, directly or through others, are dependencies of this one: whatever their phase, they start before and stop
 * after it.
 *
 * <p>A stop blocks until every container has stopped, each within its own {@code shutdown-timeout} and all at once. Because
 * it blocks, {@code spring.lifecycle.timeout-per-shutdown-phase} does not cut it short.
 *
 * <p>In between, the application is kept alive, also by listeners that are to be started by hand.
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
     * @param starting those that start by themselves
     * @param stopping all of the phase: one that was started by hand is stopped as well
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
            throw startFailures.explain(failure);
        }
    }

    @Override
    public void stop() {
        containers.stop(stopping);
        ended();
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
