/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.events.ListenerEventPublisher;
import io.github.batchsqs.internal.receive.ContainerRegistry;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerStartException;
import io.github.batchsqs.receive.ListenerContainer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the containers with the application. Safe for use by any thread.
 *
 * <p>It has the highest phase that there is: listeners start last, when all that their handlers use is up, and
 * stop first, when all of it is still there. Boot's web server is below it, by 1024 for its graceful shutdown and by 2048
 * for the server itself, so it serves its last requests after the listeners have stopped. Lifecycle beans that
 * handlers use, directly or through others, are dependencies of this one: whatever their phase, they start before and stop
 * after it. No bean is registered for that: Spring would take its lock, which a thread may hold that waits for the one that
 * creates a listener.
 *
 * <p>A stop blocks until every container has stopped, each within its own {@code shutdown-timeout} and all at once. Because
 * it blocks, {@code spring.lifecycle.timeout-per-shutdown-phase} does not cut it short.
 *
 * <p>The first start starts the containers with {@code auto-startup}. A start after a stop, as of a paused test context,
 * starts those that the stop has stopped, and those that had not started again because of a problem. One that was paused stays
 * stopped: whoever paused it did not want it to receive.
 */
final class ListenerLifecycle implements SmartLifecycle, AutoCloseable {

    /** The application's beans get their events as long as they are there, but slow ones must not delay the stop. */
    private static final Duration FLUSH_AT_STOP = Duration.ofSeconds(1);

    private final ConfigurableListableBeanFactory beans;
    private final ContainerRegistry containers;
    private final StartFailures startFailures;
    private final ListenerEventPublisher publisher;
    private final Set<ListenerContainer> starting = new CopyOnWriteArraySet<>();
    private final AtomicBoolean keepsAlive = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean running;

    ListenerLifecycle(
            ConfigurableListableBeanFactory beans,
            ContainerRegistry containers,
            StartFailures startFailures,
            ListenerEventPublisher publisher) {
        this.beans = beans;
        this.containers = containers;
        this.startFailures = startFailures;
        this.publisher = publisher;
    }

    /**
     * Takes a registered container.
     *
     * @param startsAutomatically whether the next start starts it
     * @throws IllegalStateException if the application has closed
     */
    void add(EngineContainer container, boolean startsAutomatically) {
        String id = container.options().id();
        if (closed.getCount() == 0) {
            containers.remove(id);
            throw new IllegalStateException(
                    "The listener '" + id + "' cannot be created, because the application context has closed");
        }
        if (startsAutomatically) {
            starting.add(container);
        }
        keepAlive();
    }

    /**
     * Keeps an application running whose only work is listening, until it closes: virtual threads are daemons. An application
     * that replaces its only listener does not end in between.
     */
    private void keepAlive() {
        if (keepsAlive.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon(false).name("batchsqs-keep-alive").start(() -> {
                Throwable ignored = ForeignCode.run(closed::await);
            });
        }
    }

    /**
     * Lets the listeners stop before these beans, and before those that they use: neither stops or is destroyed before this one.
     *
     * @param users the beans of listeners, and those that may have created one
     */
    void dependOn(Collection<String> users) {
        String self = beans.getBeanNamesForType(ListenerLifecycle.class, true, false)[0];
        var seen = new HashSet<>(Set.of(self));
        users.forEach(user -> dependOn(user, self, seen));
    }

    private void dependOn(String bean, String self, Set<String> seen) {
        if (seen.add(bean)) {
            beans.registerDependentBean(bean, self);
            for (String dependency : beans.getDependenciesForBean(bean)) {
                dependOn(dependency, self, seen);
            }
        }
    }

    @Override
    public void start() {
        running = true;
        boolean started = false;
        try {
            containers.start(starting::contains);
            started = true;
        } catch (ListenerStartException failure) {
            throw startFailures.explain(failure, containers.get(failure.listener()));
        } finally {
            running = started;
        }
        starting.clear();
    }

    @Override
    public void stop() {
        containers.all().stream().filter(each -> startsAgain(each.status())).forEach(starting::add);
        try {
            containers.stop();
            publisher.flush(FLUSH_AT_STOP);
        } finally {
            running = false;
        }
    }

    private static boolean startsAgain(ContainerStatus status) {
        return switch (status.state()) {
            case STARTING, RUNNING -> true;
            case PAUSED, STOPPING -> false;
            case STOPPED -> status.problem() != null; // it should run; the stop forgets the problem
        };
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /**
     * Ends the application's listeners before the beans that they use are destroyed: also those that were started in a start of
     * the application that failed, or after its stop.
     */
    @Override
    public void close() {
        closed.countDown();
        containers.stop();
    }
}
