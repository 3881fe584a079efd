/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import io.micrometer.observation.Observation;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * Keeps what predicates, conventions and handlers of observations throw from the messages: the first such failure of a minute
 * is logged. Safe for use by any thread.
 */
final class ObservationGuard {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ObservationGuard.class));

    private final String observed;
    private final Consumer<Throwable> failures;
    private final OncePerMinute line = new OncePerMinute(TimeSource.system());

    /** @param observed whose observations these are and of what, as the log names it */
    ObservationGuard(String observed) {
        this(observed, failure -> {});
    }

    /** @param failures is given each failure; may throw */
    ObservationGuard(String observed, Consumer<Throwable> failures) {
        this.observed = observed;
        this.failures = failures;
    }

    /** Creates an observation and starts it; returns one that does nothing if either throws. */
    Observation start(Supplier<Observation> notStarted) {
        Observation observation = Observation.NOOP;
        try {
            observation = notStarted.get();
            return observation.start();
        } catch (Throwable e) { // of a predicate or handler of the application, for example
            failed(e);
            run(observation::stop);
            return Observation.NOOP;
        }
    }

    /** Runs a step of an observation. */
    void run(Runnable step) {
        boolean ignored = passes(step);
    }

    /** Runs a step of an observation; returns whether it did not throw. */
    boolean passes(Runnable step) {
        try {
            step.run();
            return true;
        } catch (Throwable e) { // for example of the log's context (MDC), which a handler of observations changes
            failed(e);
            return false;
        }
    }

    void failed(Throwable failure) {
        try {
            failures.accept(failure);
        } catch (Throwable e) { // of a registry of meters, for example
            failure.addSuppressed(e);
        }
        if (line.due()) {
            log.warn("{} failed, which has no effect on messages", observed, failure);
        }
    }
}
