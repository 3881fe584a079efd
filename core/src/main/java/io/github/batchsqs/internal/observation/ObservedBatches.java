/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.observation;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.observation.ProcessContext;
import io.github.batchsqs.observation.ProcessConvention;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
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
    private final ObservationRegistry registry;
    private final ProcessConvention convention;
    private final ObservationGuard guard;

    /** The standard convention, whose common key values are made once: a listener has one queue. */
    private final ProcessConvention standard = new ProcessConvention() {

        private volatile @Nullable KeyValues common;

        @Override
        public KeyValues getLowCardinalityKeyValues(ProcessContext context) {
            common = common == null ? ProcessConvention.super.getLowCardinalityKeyValues(context) : common;
            return common;
        }
    };

    /** The open scopes by the identity of the batch, which lives as long as its invocation. */
    private final Map<MessageBatch<?>, Observation.Scope> running = new ConcurrentHashMap<>();

    ObservedBatches(String listener, String client, ObservationRegistry registry, ProcessConvention convention) {
        this.listener = listener;
        this.client = client;
        this.registry = registry;
        this.convention = convention.equals(ProcessConvention.STANDARD) ? standard : convention;
        this.guard = new ObservationGuard(registry, "Listener " + listener + ": the observation of a batch");
    }

    @Override
    public void before(MessageBatch<?> batch) {
        Observation.Scope outer = registry.getCurrentObservationScope();
        Observation observation = guard.start(convention, standard, () -> new ProcessContext(listener, client, batch));
        boolean opened = guard.run(() -> {
            Observation.Scope scope = observation.openScope();
            if (!scope.isNoop()) {
                running.put(batch, scope);
            }
        });
        if (!opened) {
            Observation.Scope half = registry.getCurrentObservationScope();
            if (half != null && !half.equals(outer)) {
                close(half);
            }
            registry.setCurrentObservationScope(outer); // also if that handler had opened one of its own
            boolean ignored = guard.run(observation::stop);
        }
    }

    @Override
    public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
        Observation.Scope scope = running.remove(batch);
        if (scope != null) {
            Observation observation = scope.getCurrentObservation();
            close(scope);
            if (failure != null) {
                boolean ignored = guard.run(() -> observation.error(failure));
            }
            boolean ignored = guard.run(observation::stop);
        }
    }

    /** Closes a scope, also for those handlers of observations that come after one that throws. */
    private void close(Observation.Scope scope) {
        Observation.Scope outer = scope.getPreviousObservationScope();
        if (!guard.run(scope::close)) {
            boolean ignored = guard.run(() -> clear(scope, outer));
        }
        registry.setCurrentObservationScope(outer);
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
