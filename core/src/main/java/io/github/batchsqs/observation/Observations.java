/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.send.SendObserver;
import io.micrometer.observation.ObservationRegistry;

/**
 * Creates the objects that observe the parts of the engine.
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
     * @return the interceptor
     */
    public BatchInterceptor batches(String listener) {
        return new ObservedBatches(listener, this);
    }

    /**
     * Creates a client that observes the delete calls of a listener.
     *
     * @param listener the listener's id
     * @param client the client that makes the calls
     * @param events the listener's events, which record failures of the observation
     * @return a client that delegates to the given one
     */
    public QueueClient deletes(String listener, QueueClient client, ListenerEvents events) {
        return new ObservedDeletes(listener, client, this, events);
    }

    /**
     * Creates an observer of sent messages.
     *
     * @return the observer
     */
    public SendObserver sends() {
        return new ObservedSends(this);
    }
}
