/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.ThreadContextElement;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Opens a scope of the invocation's observation on each other thread, for as long as a coroutine of the invocation runs
 * there. On the thread of the invocation the scope is open all the time.
 *
 * <p>What a handler of observations throws is logged, at most once a minute: in this place it would keep the coroutine from
 * ending.
 */
final class ObservationElement extends AbstractCoroutineContextElement
        implements ThreadContextElement<Observation.Scope> {

    private static final CoroutineContext.Key<ObservationElement> KEY = new CoroutineContext.Key<>() {};

    /** Any registry: the current scope is that of the thread, for all registries. */
    private static final ObservationRegistry THREAD = ObservationRegistry.create();

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ObservationElement.class));
    private static final OncePerMinute line = new OncePerMinute(TimeSource.system());

    private final Observation observation;
    private final Thread invocation = Thread.currentThread();

    /** Creates the element on the thread of the invocation. */
    ObservationElement(Observation observation) {
        super(KEY);
        this.observation = observation;
    }

    /** Returns the observation that is in scope on this thread, or {@code null}. */
    static @Nullable Observation current() {
        return THREAD.getCurrentObservation();
    }

    @Override
    public Observation.Scope updateThreadContext(CoroutineContext context) {
        if (Thread.currentThread().equals(invocation)) {
            return Observation.Scope.NOOP;
        }
        Observation.Scope outer = THREAD.getCurrentObservationScope();
        try {
            return observation.openScope();
        } catch (Throwable e) { // of a handler of the application, for example
            failed(e, outer);
            return Observation.Scope.NOOP;
        }
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, Observation.Scope scope) {
        Observation.Scope outer = scope.getPreviousObservationScope();
        try {
            scope.close();
        } catch (Throwable e) { // as above
            failed(e, outer);
        }
    }

    private static void failed(Throwable failure, Observation.@Nullable Scope outer) {
        THREAD.setCurrentObservationScope(outer);
        if (line.due()) {
            log.warn(
                    "The observation of a batch failed on another thread of its coroutine, which has no effect on messages",
                    failure);
        }
    }
}
