/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.receive.ListenerContainer;

/**
 * Creates containers at run time, with the settings, interceptors, meters and hooks of annotated listeners. A bean to
 * inject; safe for use by any thread.
 *
 * <pre>{@code
 * ListenerContainer container = factory.create(definition);
 * containers.register(container);
 * container.start();
 * …
 * containers.remove("eu"); // stops it
 * }</pre>
 */
@FunctionalInterface
public interface ListenerFactory {

    /**
     * {@return a container that is neither registered nor started} The application stops the containers that are
     * registered with its {@link io.github.batchsqs.receive.ListenerContainers}.
     *
     * @param definition the listener
     * @throws io.github.batchsqs.errors.InvalidOptionException if a setting or an option breaks its rule
     */
    ListenerContainer create(ListenerDefinition<?> definition);
}
