/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.events.ListenerEventPublisher;
import io.github.batchsqs.autoconfigure.internal.options.LayeredSettings;
import io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Puts each container of this context under one lifecycle bean, and lets it stop before the beans that its handler uses.
 *
 * <p>The lifecycle bean is registered once, before it starts. No bean is registered later: Spring would take its lock, which a thread may hold that creates a bean and waits for the one that creates
 * a listener. Safe for use by any thread.
 */
final class ListenerLifecycles {

    /** The name under which {@link #close} is registered. It has no dependents, which Spring would destroy before it. */
    static final String CLOSE = "batchSqsListenersClose";

    private static final String NAME = "batchSqsListenerLifecycle";

    private final ConfigurableListableBeanFactory beans;
    private final ListenerContainers containers;
    private final KeepAlive keepAlive = new KeepAlive();
    private final ListenerLifecycle lifecycle;
    private volatile boolean closed;

    ListenerLifecycles(
            ConfigurableListableBeanFactory beans,
            ListenerContainers containers,
            StartFailures startFailures,
            ListenerEventPublisher publisher) {
        this.beans = beans;
        this.containers = containers;
        this.lifecycle = new ListenerLifecycle(containers, startFailures, publisher);
    }

    /** Adds a listener of the application's beans. It starts with the application, unless its settings refuse. */
    void addDeclared(ListenerContainer container, LayeredSettings settings) {
        add(container, settings.get(ListenerSettingsTable.AUTO_STARTUP, true));
    }

    /**
     * Adds a listener that somebody creates and starts at run time.
     *
     * @param users the beans that may have created it: the listener stops before them and before what they use
     * @throws IllegalStateException if the application has closed
     */
    void addAtRunTime(ListenerContainer container, Collection<String> users) {
        add(container, false);
        dependOn(users);
    }

    private void add(ListenerContainer container, boolean startsAutomatically) {
        String id = container.options().id();
        containers.register(container);
        if (closed) {
            containers.remove(id);
            throw new IllegalStateException(
                    "The listener '" + id + "' cannot be created, because the application context has closed");
        }
        lifecycle.add(container, startsAutomatically);
        keepAlive.begin();
    }

    /**
     * Registers the lifecycle bean, just before it starts. All declared listeners have been added.
     *
     * @param users the beans of all listeners, and those that may have created one
     */
    void complete(Collection<String> users) {
        beans.registerSingleton(NAME, lifecycle);
        if (!lifecycle.isEmpty()) {
            dependOn(users);
        }
    }

    private void dependOn(Collection<String> users) {
        var seen = new HashSet<String>();
        users.forEach(user -> dependOn(user, List.of(NAME, CLOSE), seen));
    }

    /**
     * Spring stops the lifecycle beans of one phase in any order, but the dependent ones first: so nothing that a handler
     * uses stops before the listeners, not even a lifecycle bean of the same, highest phase. Nor is it destroyed before {@link
     * #close}.
     */
    private void dependOn(String bean, List<String> dependents, Set<String> seen) {
        if (seen.add(bean)) {
            dependents.forEach(dependent -> beans.registerDependentBean(bean, dependent));
            for (String dependency : beans.getDependenciesForBean(bean)) {
                dependOn(dependency, dependents, seen);
            }
        }
    }

    /**
     * Ends the application's listeners, before the beans that they use are destroyed: also those that were started in a start of
     * the application that failed, or after its stop.
     */
    void close() {
        closed = true;
        try {
            containers.stop(lifecycle.present().toList());
        } finally {
            keepAlive.close();
        }
    }
}
