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
 *
 * <p>If a handler of observations throws, the batch runs all the same, without an observation if that could not begin. The
 * thread keeps no scope: it may belong to a pool. The first such failure of a minute is logged.
 */
final class ObservedBatches implements BatchInterceptor {

    private final String listener;
    private final String client;
    private final Observations observations;
    private final ObservationGuard guard;

    /** The open scopes by the identity of the batch, which lives as long as its invocation. */
    private final Map<MessageBatch<?>, Observation.Scope> running = new ConcurrentHashMap<>();

    ObservedBatches(String listener, String client, Observations observations) {
        this.listener = listener;
        this.client = client;
        this.observations = observations;
        this.guard = new ObservationGuard("Listener " + listener + ": the observation of a batch");
    }

    @Override
    public void before(MessageBatch<?> batch) {
        Observation.Scope outer = observations.registry().getCurrentObservationScope();
        Observation observation = guard.start(() -> observations.notStarted(
                observations.process(), ProcessConvention.STANDARD, () -> new ProcessContext(listener, client, batch)));
        try {
            Observation.Scope scope = observation.openScope();
            if (!scope.isNoop()) {
                running.put(batch, scope);
            }
        } catch (Throwable e) { // of a handler of the application, for example
            guard.failed(e);
            Observation.Scope opened = observations.registry().getCurrentObservationScope();
            if (opened != null && !opened.equals(outer)) {
                close(opened);
            }
            observations.registry().setCurrentObservationScope(outer); // also if that handler had opened one of its own
            guard.run(observation::stop);
        }
    }

    @Override
    public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
        Observation.Scope scope = running.remove(batch);
        if (scope != null) {
            Observation observation = scope.getCurrentObservation();
            close(scope);
            if (failure != null) {
                guard.run(() -> observation.error(failure));
            }
            guard.run(observation::stop);
        }
    }

    /** Closes a scope, also for those handlers of observations that come after one that throws. */
    private void close(Observation.Scope scope) {
        Observation.Scope outer = scope.getPreviousObservationScope();
        if (!guard.passes(scope::close)) {
            guard.run(() -> clear(scope, outer));
        }
        observations.registry().setCurrentObservationScope(outer);
    }

    @SuppressWarnings("deprecation") // nothing else reaches the handlers after one that throws
    private static void clear(Observation.Scope scope, Observation.@Nullable Scope outer) {
        if (outer == null) {
            scope.reset();
        } else {
            outer.makeCurrent();
        }
    }
}
