/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.receive.ListenerContainer;
import java.util.List;

/** Listeners that are defined by code. */
final class DefinedListeners implements ListenerFactory {

    private final ListenerOptionsSource optionsSource;
    private final PayloadReaders payloadReaders;
    private final ListenerContainerFactory factory;

    DefinedListeners(
            ListenerOptionsSource optionsSource, PayloadReaders payloadReaders, ListenerContainerFactory factory) {
        this.optionsSource = optionsSource;
        this.payloadReaders = payloadReaders;
        this.factory = factory;
    }

    /** What is set for it. */
    LayeredSettings settings(ListenerDefinition<?> definition) {
        return optionsSource.settings(null, List.of(definition.id()));
    }

    @Override
    public ListenerContainer create(ListenerDefinition<?> definition) {
        return create(definition, settings(definition));
    }

    ListenerContainer create(ListenerDefinition<?> definition, LayeredSettings settings) {
        String id = definition.id();
        var options = optionsSource.options(id, definition.queue(), settings, definition.customizer());
        return factory.create(
                options, payloadReaders.create(id, settings, definition.payloadType()), untyped(definition.listener()));
    }

    /** Its payloads are read as the type that it was defined with. */
    @SuppressWarnings("unchecked")
    private static BatchListener<Object> untyped(BatchListener<?> listener) {
        return (BatchListener<Object>) listener;
    }
}
