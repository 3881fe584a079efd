/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.observation;

import io.github.batchsqs.internal.send.SendObserver;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.observation.ProcessConvention;
import io.github.batchsqs.observation.SendConvention;
import io.micrometer.observation.ObservationRegistry;

/**
 * Creates the objects that observe the parts of the engine.
 *
 * <p>A convention that is the standard one gives way to a {@code GlobalObservationConvention} of the registry.
 *
 * @param registry receives the observations
 * @param process names and key values of invocations
 * @param send names and key values of messages that are sent
 */
public record Observations(ObservationRegistry registry, ProcessConvention process, SendConvention send) {

    /**
     * Creates an interceptor that observes the invocations of a listener. It must be the first of the listener's
     * interceptors.
     *
     * @param listener the listener's id
     * @param client the name of its client
     * @return the interceptor
     */
    public BatchInterceptor batches(String listener, String client) {
        return new ObservedBatches(listener, client, registry, process);
    }

    /**
     * Creates an observer of sent messages.
     *
     * @param client the name of the client that sends them
     * @return the observer
     */
    public SendObserver sends(String client) {
        return new ObservedSends(client, send, new ObservationGuard(registry, "Sender: the observation of a message"));
    }
}
