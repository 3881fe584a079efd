/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.internal.options.AnnotationValues;
import io.github.batchsqs.autoconfigure.internal.options.LayeredSettings;
import io.github.batchsqs.autoconfigure.internal.options.ListenerOptionsSource;
import io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable;
import io.github.batchsqs.autoconfigure.internal.signature.Handlers;
import io.github.batchsqs.autoconfigure.internal.signature.SpringArguments;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.listener.ListenerFactory;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.receive.ListenerContainer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.core.env.Environment;

/**
 * Creates a container for each queue of each annotated method or class and for each {@link ListenerDefinition}, after all singletons
 * are created, and those of listeners at run time. Detects every error that needs no call to SQS before anything starts.
 *
 * <p>All containers have one lifecycle bean, see {@link ListenerLifecycle}.
 */
record ListenerRegistrar(
        ConfigurableListableBeanFactory beans,
        Environment environment,
        ListenerOptionsSource optionsSource,
        PayloadReaders payloadReaders,
        ListenerContainerFactory factory,
        ListenerLifecycle lifecycle,
        Inboxes inboxes)
        implements SmartInitializingSingleton, ListenerFactory {

    @Override
    public void afterSingletonsInstantiated() {
        Map<String, Origin> originsById = new HashMap<>();
        new ListenerMethods(beans).find().forEach(each -> register(each, originsById));
        for (String name : beans.getBeanNamesForType(ListenerDefinition.class)) {
            ListenerDefinition<?> definition = beans.getBean(name, ListenerDefinition.class);
            claim(originsById, definition.id(), new Origin(name, "the bean " + name), "id of the bean " + name);
            LayeredSettings settings = settings(definition);
            add(container(definition, settings), settings);
        }
        if (!isSlice()) {
            optionsSource.checkIds(factory.containers().all().stream()
                    .map(each -> each.options().id())
                    .toList());
        }
        lifecycle.dependOn(originsById.values().stream().map(Origin::bean).toList());
        lifecycle.dependOn(factory.gates().keySet());
        lifecycle.dependOn(creators());
    }

    /** Returns the beans that may have created a listener. */
    private List<String> creators() {
        return List.of(beans.getDependentBeans(beans.getBeanNamesForType(ListenerRegistrar.class, true, false)[0]));
    }

    /** Returns whether a test has chosen the auto-configurations, and so perhaps leaves out listeners that have settings. */
    private boolean isSlice() {
        return !environment.getProperty(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, Boolean.class, true);
    }

    private void add(EngineContainer container, LayeredSettings settings) {
        lifecycle.add(container, settings.get(ListenerSettingsTable.AUTO_STARTUP, true));
    }

    @Override
    public ListenerContainer create(ListenerDefinition<?> definition) {
        EngineContainer container = container(definition, settings(definition));
        lifecycle.add(container, false);
        lifecycle.dependOn(creators());
        return container;
    }

    private LayeredSettings settings(ListenerDefinition<?> definition) {
        return optionsSource.settings(null, List.of(definition.id()));
    }

    private EngineContainer container(ListenerDefinition<?> definition, LayeredSettings settings) {
        String id = definition.id();
        return settings.naming(id, () -> {
            var options = optionsSource.options(id, definition.queue(), settings, List.of(), definition.customizer());
            return factory.create(
                    options,
                    Set.of(id),
                    payloadReaders.create(id, settings, definition.payloadType()),
                    inboxes.around(settings, options, null, List.of(), List.of(), untyped(definition.listener())));
        });
    }

    /** The payload reader returns the type of the definition. */
    @SuppressWarnings("unchecked")
    private static BatchListener<Object> untyped(BatchListener<?> listener) {
        return (BatchListener<Object>) listener;
    }

    private void register(AnnotatedListener listener, Map<String, Origin> originsById) {
        Handlers handlers = listener.handlers();
        var values = new AnnotationValues(listener.annotation(), listener.describe(), beans);
        Object bean = beans.getBean(listener.beanName());
        String givenId = values.id();
        boolean first = true;
        for (String queue : values.queues()) {
            String id = id(givenId, queue, first);
            Set<String> ids = new LinkedHashSet<>(givenId == null ? List.of(id) : List.of(givenId, id));
            LayeredSettings settings = optionsSource.settings(values, ids);
            claim(originsById, id, new Origin(listener.beanName(), listener.describe()), values.key("id"));
            EngineContainer container = settings.naming(id, () -> {
                var options = optionsSource.options(id, queue, settings, handlers.signatures(), set -> set);
                var spring = SpringArguments.of(beans, payloadReaders.envelope(settings, handlers));
                var handling = inboxes.around(
                        settings,
                        options,
                        listener.beanClass(),
                        listener.methods(),
                        handlers.signatures(),
                        handlers.listener(bean, spring));
                return factory.create(options, ids, payloadReaders.create(id, settings, handlers), handling);
            });
            add(container, settings);
            first = false;
        }
    }

    private static String id(@Nullable String givenId, String queue, boolean first) {
        if (givenId != null && first) {
            return givenId;
        }
        String name = SqsLimits.queueName(queue).replaceAll("[^\\p{Alnum}_-]", "-");
        return givenId == null ? name : givenId + "-" + name;
    }

    private static void claim(Map<String, Origin> originsById, String id, Origin origin, String key) {
        Origin other = originsById.putIfAbsent(id, origin);
        if (other != null) {
            throw new InvalidOptionException(
                    key,
                    "must be unique and not that of " + other.description(),
                    id,
                    "set another id for one of the two; without an id, a listener takes the name of its queue");
        }
    }

    /** The bean of a container, and its name in errors. */
    private record Origin(String bean, String description) {}
}
