/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.receive.ListenerContainer;

/**
 * Makes containers at run time, with the settings, interceptors, meters and hooks that annotated listeners have. A bean to
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
     * A container that is neither registered nor started. One that is registered with the application's
     * {@link io.github.batchsqs.receive.ListenerContainers} is stopped with the application.
     *
     * @throws io.github.batchsqs.InvalidOptionException if a setting or an option breaks its rule
     */
    ListenerContainer create(ListenerDefinition<?> definition);
}
