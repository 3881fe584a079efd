/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.internal.options.LayeredSettings;
import io.github.batchsqs.autoconfigure.internal.options.ListenerOptionsSource;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.receive.ListenerContainer;
import java.util.List;
import java.util.Set;

/** Creates the containers of listeners that code defines. */
final class DefinedListeners {

    private final ListenerOptionsSource optionsSource;
    private final PayloadReaders payloadReaders;
    private final ListenerContainerFactory factory;
    private final Inboxes inboxes;

    DefinedListeners(
            ListenerOptionsSource optionsSource,
            PayloadReaders payloadReaders,
            ListenerContainerFactory factory,
            Inboxes inboxes) {
        this.optionsSource = optionsSource;
        this.payloadReaders = payloadReaders;
        this.factory = factory;
        this.inboxes = inboxes;
    }

    /** Returns the settings of a listener. */
    LayeredSettings settings(ListenerDefinition<?> definition) {
        return optionsSource.settings(null, List.of(definition.id()));
    }

    /** Returns a container that is neither registered nor started. */
    ListenerContainer create(ListenerDefinition<?> definition, LayeredSettings settings) {
        String id = definition.id();
        var options = optionsSource.options(id, definition.queue(), settings, definition.customizer());
        return factory.create(
                options,
                Set.of(id),
                payloadReaders.create(id, settings, definition.payloadType()),
                inboxes.around(settings, options, null, List.of(), List.of(), untyped(definition.listener())));
    }

    /** The payload reader returns the type of the definition. */
    @SuppressWarnings("unchecked")
    private static BatchListener<Object> untyped(BatchListener<?> listener) {
        return (BatchListener<Object>) listener;
    }
}
