/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.observation;

import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Makes observations, and keeps what their predicates, conventions and handlers throw from the messages: the first such failure of a minute
 * is logged. Safe for use by any thread.
 */
final class ObservationGuard {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ObservationGuard.class));

    private final ObservationRegistry registry;
    private final String observed;
    private final OncePerMinute line = new OncePerMinute(TimeSource.system());

    /** @param observed whose observations these are and of what, as the log names it */
    ObservationGuard(ObservationRegistry registry, String observed) {
        this.registry = registry;
        this.observed = observed;
    }

    /**
     * Creates an observation and starts it; returns one that does nothing if either throws. A {@code GlobalObservationConvention} of the
     * registry replaces the standard convention, but no custom one.
     *
     * @param standard the standard convention of the context
     */
    <C extends Observation.Context> Observation start(
            ObservationConvention<C> convention, ObservationConvention<C> standard, Supplier<C> context) {
        ForeignCode.Outcome<Observation> made = ForeignCode.call(() -> Observation.createNotStarted(
                convention.equals(standard) ? null : convention, standard, context, registry));
        Observation observation = made.value();
        if (observation == null) {
            failed(made.failure());
            return Observation.NOOP;
        }
        if (run(observation::start)) {
            return observation;
        }
        boolean ignored = run(observation::stop);
        return Observation.NOOP;
    }

    /** Runs a step of an observation; returns whether it did not throw, as one that changes the log's context (MDC) may. */
    boolean run(ForeignCode.Action step) {
        Throwable failure = ForeignCode.run(step);
        if (failure != null) {
            failed(failure);
        }
        return failure == null;
    }

    private void failed(@Nullable Throwable failure) {
        if (line.due()) {
            log.warn("{} failed, which has no effect on messages", observed, failure);
        }
    }
}
