/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.listener.BatchInterceptor;
import io.micrometer.observation.Observation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates one observation per invocation. It is in scope on the thread of the invocation, for the interceptors after
 * this one and for the handler.
 */
final class ObservedBatches implements BatchInterceptor {

    private final String listener;
    private final Observations observations;

    /** The open scopes by the identity of the batch, which lives as long as its invocation. */
    private final Map<MessageBatch<?>, Observation.Scope> running = new ConcurrentHashMap<>();

    ObservedBatches(String listener, Observations observations) {
        this.listener = listener;
        this.observations = observations;
    }

    @Override
    public void before(MessageBatch<?> batch) {
        Observation observation = Observation.start(
                observations.process(), () -> new ProcessContext(listener, batch), observations.registry());
        running.put(batch, observation.openScope());
    }

    @Override
    public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
        Observation.Scope scope = running.remove(batch);
        if (scope != null) {
            Observation observation = scope.getCurrentObservation();
            try {
                scope.close();
                if (failure != null) {
                    observation.error(failure);
                }
            } finally {
                observation.stop(); // whatever a handler of observations throws
            }
        }
    }
}
