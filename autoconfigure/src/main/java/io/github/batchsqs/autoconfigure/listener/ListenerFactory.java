/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.receive.ListenerContainer;

/**
 * Creates containers at run time, with the settings, interceptors, meters and hooks of annotated listeners. A bean to
 * inject; safe for use by any thread.
 *
 * <pre>{@code
 * ListenerContainer container = factory.create(definition);
 * container.start();
 * …
 * containers.remove("eu"); // stops it, and removes it and its meters
 * }</pre>
 *
 * <p>The application owns what it creates, as it owns annotated listeners. From its creation until
 * {@link io.github.batchsqs.receive.ListenerContainers#remove}, a container
 *
 * <ul>
 *   <li>is registered with {@link io.github.batchsqs.receive.ListenerContainers}, and so in the health and the actuator
 *       endpoint, stopped or not;
 *   <li>stops when the application closes, before all other lifecycle beans, and before the beans into which this factory was injected and before the beans that they use;
 *   <li>runs again after a pause of the application context (of a cached test context, for example) if it ran before.
 * </ul>
 *
 * <p>The first listener keeps an application without a web server alive until the application closes, even if it is removed: the
 * application may create another.
 *
 * <p>A container starts only when it is started: {@code auto-startup} does not apply. One that is only stopped stays
 * registered and can be started again; one that is removed cannot. An id is free again when the listener that had it is removed
 * and has stopped.
 */
@FunctionalInterface
public interface ListenerFactory {

    /**
     * {@return a container that is registered and not started}
     *
     * @param definition the listener
     * @throws io.github.batchsqs.errors.InvalidOptionException if a setting or an option breaks its rule, or if there is a
     *     listener with its id
     * @throws IllegalStateException if the application has closed
     */
    ListenerContainer create(ListenerDefinition<?> definition);
}
