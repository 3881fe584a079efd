/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.send.SendObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Supplier;

/**
 * Creates the objects that observe the parts of the engine.
 *
 * <p>A convention that is the standard one gives way to a {@code GlobalObservationConvention} of the registry.
 *
 * @param registry receives the observations
 * @param process names and key values of invocations
 * @param settle names and key values of delete calls
 * @param send names and key values of messages that are sent
 */
public record Observations(
        ObservationRegistry registry, ProcessConvention process, SettleConvention settle, SendConvention send) {

    /**
     * Creates an interceptor that observes the invocations of a listener. It must be the first of the listener's
     * interceptors.
     *
     * @param listener the listener's id
     * @param client the name of its client
     * @return the interceptor
     */
    public BatchInterceptor batches(String listener, String client) {
        return new ObservedBatches(listener, client, this);
    }

    /**
     * Creates a client that observes the delete calls of a listener.
     *
     * @param listener the listener's id
     * @param clientName the name of its client
     * @param client the client that makes the calls
     * @param events the listener's events, which record failures of the observation
     * @return a client that delegates to the given one
     */
    public QueueClient deletes(String listener, String clientName, QueueClient client, ListenerEvents events) {
        return new ObservedDeletes(listener, clientName, client, this, events);
    }

    /**
     * Creates an observation that is not started. A {@code GlobalObservationConvention} of the registry replaces the standard
     * convention, but no custom one.
     *
     * @param convention the convention of this record
     * @param standard the standard convention of the context
     */
    <C extends Observation.Context> Observation notStarted(
            ObservationConvention<C> convention, ObservationConvention<C> standard, Supplier<C> context) {
        return Observation.createNotStarted(
                convention.equals(standard) ? null : convention, standard, context, registry);
    }

    /**
     * Creates an observer of sent messages.
     *
     * @param client the name of the client that sends them
     * @return the observer
     */
    public SendObserver sends(String client) {
        return new ObservedSends(client, this);
    }
}
