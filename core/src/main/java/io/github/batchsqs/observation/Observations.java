/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.receive.invoke.BatchInterceptor;
import io.github.batchsqs.send.SendObserver;
import io.micrometer.observation.ObservationRegistry;

/**
 * Makes what observes the parts of the engine.
 *
 * @param registry told of the observations
 * @param process names and key values of invocations
 * @param settle names and key values of delete calls
 * @param send names and key values of messages that are sent
 */
public record Observations(
        ObservationRegistry registry, ProcessConvention process, SettleConvention settle, SendConvention send) {

    /** Observes the invocations of a listener; to be the first of its interceptors. */
    public BatchInterceptor batches(String listener) {
        return new ObservedBatches(listener, this);
    }

    /** Observes the delete calls of a listener. */
    public QueueClient deletes(String listener, QueueClient client) {
        return new ObservedDeletes(listener, client, this);
    }

    /** Observes the messages that are sent. */
    public SendObserver sends() {
        return new ObservedSends(this);
    }
}
