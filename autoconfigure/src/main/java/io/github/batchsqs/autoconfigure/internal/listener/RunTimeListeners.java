/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.listener.ListenerFactory;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.List;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Creates the containers of listeners at run time, and puts them under the application's lifecycle. */
final class RunTimeListeners implements ListenerFactory {

    /** The name of the bean. */
    static final String BEAN = "batchSqsListenerFactory";

    private final ConfigurableListableBeanFactory beans;
    private final DefinedListeners defined;
    private final ListenerContainers containers;
    private final ListenerLifecycles lifecycles;

    RunTimeListeners(
            ConfigurableListableBeanFactory beans,
            DefinedListeners defined,
            ListenerContainers containers,
            ListenerLifecycles lifecycles) {
        this.beans = beans;
        this.defined = defined;
        this.containers = containers;
        this.lifecycles = lifecycles;
    }

    @Override
    public ListenerContainer create(ListenerDefinition<?> definition) {
        String id = definition.id();
        if (containers.find(id).isPresent()) { // before it has meters
            throw new InvalidOptionException(
                    "id", "must be unique", id, "remove the listener that has it, or set another id");
        }
        ListenerContainer container = defined.create(definition, defined.settings(definition));
        lifecycles.addAtRunTime(container, List.of(beans.getDependentBeans(BEAN)));
        return container;
    }
}
