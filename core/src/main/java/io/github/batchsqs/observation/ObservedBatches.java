/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.support.OncePerMinute;
import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import io.micrometer.observation.Observation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Creates one observation per invocation. It is in scope on the thread of the invocation, for the interceptors after
 * this one and for the handler.
 *
 * <p>If a handler of observations throws, the batch runs all the same, without an observation if that could not begin. The
 * thread keeps no scope: it may belong to a pool. The first such failure of a minute is logged.
 */
final class ObservedBatches implements BatchInterceptor {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ObservedBatches.class));

    private final String listener;
    private final Observations observations;
    private final OncePerMinute line = new OncePerMinute(TimeSource.system());

    /** The open scopes by the identity of the batch, which lives as long as its invocation. */
    private final Map<MessageBatch<?>, Observation.Scope> running = new ConcurrentHashMap<>();

    ObservedBatches(String listener, Observations observations) {
        this.listener = listener;
        this.observations = observations;
    }

    @Override
    public void before(MessageBatch<?> batch) {
        Observation.Scope outer = observations.registry().getCurrentObservationScope();
        Observation observation = Observation.NOOP;
        try {
            observation = Observation.createNotStarted(
                    observations.process(), () -> new ProcessContext(listener, batch), observations.registry());
            observation.start();
            running.put(batch, observation.openScope());
        } catch (Throwable e) { // a predicate or handler of the application, for example
            threw(e);
            Observation.Scope opened = observations.registry().getCurrentObservationScope();
            if (opened != null && !opened.equals(outer)) {
                close(opened);
            }
            boolean ignored = runs(observation::stop);
        }
    }

    @Override
    public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
        Observation.Scope scope = running.remove(batch);
        if (scope != null) {
            Observation observation = scope.getCurrentObservation();
            close(scope);
            if (failure != null) {
                boolean ignored = runs(() -> observation.error(failure));
            }
            boolean ignored = runs(observation::stop);
        }
    }

    /** Closes a scope, also for those handlers of observations that come after one that throws. */
    private void close(Observation.Scope scope) {
        Observation.Scope outer = scope.getPreviousObservationScope();
        if (!runs(scope::close)) {
            boolean ignored = runs(() -> clear(scope, outer));
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

    /** Runs a step; returns whether it did not throw. */
    private boolean runs(Runnable step) {
        try {
            step.run();
            return true;
        } catch (Throwable e) { // for example of the log's context (MDC), which a handler of observations changes
            threw(e);
            return false;
        }
    }

    private void threw(Throwable failure) {
        if (line.due()) {
            log.warn(
                    "Listener {}: the observation of a batch failed, which has no effect on messages",
                    listener,
                    failure);
        }
    }
}
