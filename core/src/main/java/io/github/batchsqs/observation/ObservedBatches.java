/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.receive.invoke.BatchInterceptor;
import io.micrometer.observation.Observation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An observation per invocation, in scope on its thread: of the interceptors behind this one, and of the handler. */
final class ObservedBatches implements BatchInterceptor {

    private final String listener;
    private final Observations observations;

    /** By the identity of the batch, which lives as long as its invocation. */
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
            scope.close();
            Observation observation = scope.getCurrentObservation();
            if (failure != null) {
                observation.error(failure);
            }
            observation.stop();
        }
    }
}
