/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.autoconfigure.events.ListenerEventPublisher;
import io.github.batchsqs.autoconfigure.options.LayeredSettings;
import io.github.batchsqs.autoconfigure.options.ListenerSettingsTable;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Puts each container of this context under the lifecycle bean of its phase, which the first container of a phase creates.
 * Safe for use by any thread.
 */
final class ListenerLifecycles {

    private final ConfigurableListableBeanFactory beans;
    private final ListenerContainers containers;
    private final StartFailures startFailures;
    private final ListenerEventPublisher publisher;
    private final KeepAlive keepAlive;
    private final Map<Integer, ListenerLifecycle> byPhase = new ConcurrentHashMap<>();
    private volatile boolean complete;

    ListenerLifecycles(
            ConfigurableListableBeanFactory beans,
            ListenerContainers containers,
            StartFailures startFailures,
            ListenerEventPublisher publisher,
            KeepAlive keepAlive) {
        this.beans = beans;
        this.containers = containers;
        this.startFailures = startFailures;
        this.publisher = publisher;
        this.keepAlive = keepAlive;
    }

    /** Adds a listener of the application's beans. It starts with the application, unless its settings refuse. */
    void addDeclared(ListenerContainer container, LayeredSettings settings) {
        int ignored = add(container, settings, settings.get(ListenerSettingsTable.AUTO_STARTUP, true));
    }

    /**
     * Adds a listener that somebody creates and starts at run time.
     *
     * @param users the beans that may have created it: the listener stops before them and before what they use
     */
    void addAtRunTime(ListenerContainer container, LayeredSettings settings, Collection<String> users) {
        int phase = add(container, settings, false);
        if (complete) {
            dependOn(users, phase);
        }
    }

    private int add(ListenerContainer container, LayeredSettings settings, boolean startsAutomatically) {
        int phase = settings.get(ListenerSettingsTable.PHASE, ListenerLifecycle.DEFAULT_PHASE);
        containers.register(container);
        keepAlive.added();
        lifecycle(phase).add(container, startsAutomatically);
        return phase;
    }

    /**
     * Returns the lifecycle of a phase. Spring starts those that there are before the application runs, and stops also
     * those that come later. No lock is held, because Spring takes its own.
     */
    private ListenerLifecycle lifecycle(int phase) {
        ListenerLifecycle known = byPhase.get(phase);
        if (known != null) {
            return known;
        }
        var created = new ListenerLifecycle(phase, containers, startFailures, publisher, keepAlive);
        ListenerLifecycle other = byPhase.putIfAbsent(phase, created);
        if (other != null) {
            return other;
        }
        if (complete) {
            created.began();
        }
        beans.registerSingleton(name(phase), created);
        return created;
    }

    /**
     * Ends the time of the declared listeners, just before the lifecycles start.
     *
     * @param users the beans of all listeners, and those that may have created one
     */
    void complete(Collection<String> users) {
        complete = true;
        byPhase.keySet().forEach(phase -> dependOn(users, phase));
    }

    private static String name(int phase) {
        return "batchSqsListenerLifecycle" + phase;
    }

    private void dependOn(Collection<String> users, int phase) {
        var seen = new HashSet<String>();
        users.forEach(user -> dependOn(user, name(phase), seen));
    }

    /**
     * Spring stops the lifecycle beans of one phase in any order, but the dependent ones first: so nothing that a handler
     * uses stops before the listeners, not even a lifecycle bean of the same, highest phase.
     */
    private void dependOn(String bean, String lifecycle, Set<String> seen) {
        if (seen.add(bean)) {
            beans.registerDependentBean(bean, lifecycle);
            for (String dependency : beans.getDependenciesForBean(bean)) {
                dependOn(dependency, lifecycle, seen);
            }
        }
    }
}
