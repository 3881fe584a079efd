/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.options.ListenerOptionsCustomizer;
import java.lang.reflect.Type;
import java.util.Objects;
import org.springframework.core.ParameterizedTypeReference;

/**
 * A listener that is defined by code rather than by an annotation. Immutable.
 *
 * <p>As a bean it is one of the application's listeners from the start:
 *
 * <pre>{@code
 * @Bean
 * ListenerDefinition<Order> euOrders(OrderService service) {
 *     return ListenerDefinition.of("eu", "orders-eu", Order.class, BatchListener.of(batch -> service.store(batch.payloads())))
 *             .with(options -> options.toBuilder().batchSize(100).build());
 * }
 * }</pre>
 *
 * <p>At run time a {@link ListenerFactory} creates a container of it, which belongs to the application, too.
 *
 * <p>Settings of {@code batchsqs.listener.*} and {@code batchsqs.listeners.<id>.*} apply; what {@link #with} changes wins
 * over them, and customizer beans come last.
 *
 * @param id the listener's id, for its settings, meters, thread names and logs
 * @param queue the name, URL or ARN of its queue
 * @param payloadType the type of the payloads: {@code String}, {@code byte[]}, or one that Jackson reads
 * @param listener handles the batches
 * @param customizer changes the options
 * @param <T> the payloads
 */
public record ListenerDefinition<T>(
        String id, String queue, Type payloadType, BatchListener<T> listener, ListenerOptionsCustomizer customizer) {

    /** Refuses {@code null} values. */
    public ListenerDefinition {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(payloadType, "payloadType");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(customizer, "customizer");
    }

    /**
     * Creates a listener for payloads of a class.
     *
     * @param <T> the payload type
     * @param id the listener's id
     * @param queue the queue's name, URL or ARN
     * @param payloadType the class to which the codec converts bodies
     * @param listener the handler
     * @return the definition
     */
    public static <T> ListenerDefinition<T> of(
            String id, String queue, Class<T> payloadType, BatchListener<T> listener) {
        return new ListenerDefinition<>(id, queue, payloadType, listener, options -> options);
    }

    /**
     * Creates a listener for payloads of a generic type.
     *
     * @param <T> the payload type
     * @param id the listener's id
     * @param queue the queue's name, URL or ARN
     * @param payloadType the type to which the codec converts bodies
     * @param listener the handler
     * @return the definition
     */
    public static <T> ListenerDefinition<T> of(
            String id, String queue, ParameterizedTypeReference<T> payloadType, BatchListener<T> listener) {
        return new ListenerDefinition<>(id, queue, payloadType.getType(), listener, options -> options);
    }

    /**
     * Returns the same listener with other options.
     *
     * @param change the change, which must not change the id
     * @return the changed definition
     */
    public ListenerDefinition<T> with(ListenerOptionsCustomizer change) {
        ListenerOptionsCustomizer before = customizer;
        return new ListenerDefinition<>(
                id, queue, payloadType, listener, options -> change.customize(before.customize(options)));
    }
}
