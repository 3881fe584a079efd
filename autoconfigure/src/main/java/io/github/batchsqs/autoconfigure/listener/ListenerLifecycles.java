/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.autoconfigure.events.ListenerEventPublisher;
import io.github.batchsqs.autoconfigure.options.LayeredSettings;
import io.github.batchsqs.autoconfigure.options.ListenerSettingsTable;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Puts each container of this context under the lifecycle bean of its phase.
 *
 * <p>There is a lifecycle bean for each phase that a setting names, registered once, before any of them starts. No bean is
 * registered later: Spring would take its lock, which a thread may hold that creates a bean and waits for the one that creates
 * a listener. Safe for use by any thread.
 */
final class ListenerLifecycles {

    /** The name under which {@link #close} is registered. It has no dependents, which Spring would destroy before it. */
    static final String CLOSE = "batchSqsListenersClose";

    private final ConfigurableListableBeanFactory beans;
    private final ListenerContainers containers;
    private final StartFailures startFailures;
    private final ListenerEventPublisher publisher;
    private final KeepAlive keepAlive = new KeepAlive();
    private final Map<Integer, ListenerLifecycle> byPhase = new ConcurrentSkipListMap<>();
    private volatile boolean closed;

    /** @param phases the phases that listeners may have which are created at run time */
    ListenerLifecycles(
            ConfigurableListableBeanFactory beans,
            ListenerContainers containers,
            Collection<Integer> phases,
            StartFailures startFailures,
            ListenerEventPublisher publisher) {
        this.beans = beans;
        this.containers = containers;
        this.startFailures = startFailures;
        this.publisher = publisher;
        phases.forEach(this::lifecycle);
    }

    /** Adds a listener of the application's beans. It starts with the application, unless its settings refuse. */
    void addDeclared(ListenerContainer container, LayeredSettings settings) {
        int ignored = add(container, settings, settings.get(ListenerSettingsTable.AUTO_STARTUP, true));
    }

    /**
     * Adds a listener that somebody creates and starts at run time.
     *
     * @param users the beans that may have created it: the listener stops before them and before what they use
     * @throws IllegalStateException if the application has closed
     */
    void addAtRunTime(ListenerContainer container, LayeredSettings settings, Collection<String> users) {
        dependOn(users, add(container, settings, false));
    }

    private int add(ListenerContainer container, LayeredSettings settings, boolean startsAutomatically) {
        String id = container.options().id();
        containers.register(container);
        if (closed) {
            containers.remove(id);
            throw new IllegalStateException(
                    "The listener '" + id + "' cannot be created, because the application context has closed");
        }
        int phase = settings.get(ListenerSettingsTable.PHASE, ListenerLifecycle.DEFAULT_PHASE);
        lifecycle(phase).add(container, startsAutomatically);
        keepAlive.begin();
        return phase;
    }

    private ListenerLifecycle lifecycle(int phase) {
        return byPhase.computeIfAbsent(phase, key -> new ListenerLifecycle(key, containers, startFailures, publisher));
    }

    /**
     * Registers the lifecycles, just before they start. All declared listeners have been added.
     *
     * @param users the beans of all listeners, and those that may have created one
     */
    void complete(Collection<String> users) {
        byPhase.forEach((phase, lifecycle) -> {
            beans.registerSingleton(name(phase), lifecycle);
            if (!lifecycle.isEmpty()) {
                dependOn(users, phase);
            }
        });
    }

    private static String name(int phase) {
        return "batchSqsListenerLifecycle" + phase;
    }

    private void dependOn(Collection<String> users, int phase) {
        var seen = new HashSet<String>();
        users.forEach(user -> dependOn(user, List.of(name(phase), CLOSE), seen));
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
     * the application that failed, or after the stop of their phase.
     */
    void close() {
        closed = true;
        try {
            containers.stop(byPhase.values().stream()
                    .flatMap(ListenerLifecycle::present)
                    .toList());
        } finally {
            keepAlive.close();
        }
    }
}
