/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.autoconfigure.options.AnnotationValues;
import io.github.batchsqs.autoconfigure.options.LayeredSettings;
import io.github.batchsqs.autoconfigure.options.ListenerOptionsSource;
import io.github.batchsqs.autoconfigure.options.ListenerSettingsTable;
import io.github.batchsqs.autoconfigure.signature.Signature;
import io.github.batchsqs.autoconfigure.signature.SpringArguments;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Creates a container for each queue of each annotated method and for each {@link ListenerDefinition}, after all singletons
 * are created. Detects every error that needs no call to SQS before anything starts.
 *
 * <p>Containers of one {@code phase} become one lifecycle bean, see {@link ListenerLifecycle}.
 */
final class ListenerRegistrar implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final ListenerOptionsSource optionsSource;
    private final PayloadReaders payloadReaders;
    private final ListenerContainerFactory factory;
    private final DefinedListeners defined;
    private final ListenerContainers containers;
    private final StartFailures startFailures;
    private final Map<String, Origin> originsById = new HashMap<>();
    private final Map<Integer, List<ListenerContainer>> startingByPhase = new TreeMap<>();
    private final Map<Integer, List<ListenerContainer>> stoppingByPhase = new TreeMap<>();

    ListenerRegistrar(
            ConfigurableListableBeanFactory beans,
            ListenerOptionsSource optionsSource,
            PayloadReaders payloadReaders,
            ListenerContainerFactory factory,
            ListenerContainers containers,
            StartFailures startFailures) {
        this.beans = beans;
        this.optionsSource = optionsSource;
        this.payloadReaders = payloadReaders;
        this.factory = factory;
        this.defined = new DefinedListeners(optionsSource, payloadReaders, factory);
        this.containers = containers;
        this.startFailures = startFailures;
    }

    @Override
    public void afterSingletonsInstantiated() {
        new LazyListeners(beans).create();
        new ListenerMethods(beans).find().forEach(this::register);
        for (String name : beans.getBeanNamesForType(ListenerDefinition.class)) {
            register(name, beans.getBean(name, ListenerDefinition.class));
        }
        optionsSource.requireKnown(
                containers.all().stream().map(each -> each.options().id()).toList());
        stoppingByPhase.keySet().forEach(this::registerLifecycle);
    }

    private void registerLifecycle(int phase) {
        String name = "batchSqsListenerLifecycle" + phase;
        beans.registerSingleton(
                name,
                new ListenerLifecycle(
                        phase,
                        containers,
                        startingByPhase.getOrDefault(phase, List.of()),
                        stoppingByPhase.getOrDefault(phase, List.of()),
                        startFailures));
        var seen = new HashSet<String>();
        originsById.values().forEach(origin -> dependOn(origin.bean(), name, seen));
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

    private void register(String bean, ListenerDefinition<?> definition) {
        LayeredSettings settings = defined.settings(definition);
        claim(definition.id(), new Origin(bean, "the bean " + bean), "id of the bean " + bean);
        register(defined.create(definition, settings), settings);
    }

    private void register(ListenerMethod method) {
        var signature = Signature.of(method.method(), method.beanType());
        var values = new AnnotationValues(method.annotation(), method.describe(), beans);
        Object bean = beans.getBean(method.beanName());
        String givenId = values.id();
        boolean first = true;
        for (String queue : values.queues()) {
            String id = id(givenId, queue, first);
            Set<String> ids = new LinkedHashSet<>(givenId == null ? List.of(id) : List.of(givenId, id));
            LayeredSettings settings = optionsSource.settings(values, ids);
            var options = optionsSource.options(id, queue, settings, signature);
            claim(id, new Origin(method.beanName(), method.describe()), values.key("id"));
            var reader = payloadReaders.create(id, settings, signature);
            var spring = SpringArguments.of(beans, payloadReaders.envelope(id, settings, signature));
            register(factory.create(options, reader, signature.listener(bean, spring)), settings);
            first = false;
        }
    }

    private static String id(@Nullable String givenId, String queue, boolean first) {
        if (givenId == null) {
            return QueueNames.asId(queue);
        }
        return first ? givenId : givenId + "-" + QueueNames.asId(queue);
    }

    private void claim(String id, Origin origin, String key) {
        Origin other = originsById.putIfAbsent(id, origin);
        if (other != null) {
            throw new InvalidOptionException(
                    key,
                    "must be unique, but " + other.description() + " uses it, too",
                    id,
                    "set another id for one of the two; without an id, a listener takes the name of its queue");
        }
    }

    private void register(ListenerContainer container, LayeredSettings settings) {
        containers.register(container);
        int phase = settings.get(ListenerSettingsTable.PHASE, ListenerLifecycle.DEFAULT_PHASE);
        stoppingByPhase.computeIfAbsent(phase, none -> new ArrayList<>()).add(container);
        if (settings.get(ListenerSettingsTable.AUTO_STARTUP, true)) {
            startingByPhase.computeIfAbsent(phase, none -> new ArrayList<>()).add(container);
        }
    }

    /** The bean of a container, and its name in errors. */
    private record Origin(String bean, String description) {}
}
