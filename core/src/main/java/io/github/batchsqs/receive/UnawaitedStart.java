/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.SafeThrowable;
import io.github.batchsqs.listener.ContainerStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The failure of a start of which nobody awaits the outcome: the log, the meters and the status of the stopped container say
 * so until somebody starts or stops it. Safe for use by any thread.
 */
final class UnawaitedStart {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ListenerContainer.class));

    private final String listener;
    private final ListenerEvents events;
    private volatile @Nullable String problem;

    UnawaitedStart(String listener, ListenerEvents events) {
        this.listener = listener;
        this.events = events;
    }

    /**
     * Records the failure.
     *
     * @param what what could not be done, as the end of "Listener x: it could not be "
     */
    void failed(String what, Throwable cause) {
        problem = "it could not be " + what + " (" + SafeThrowable.text(cause)
                + "); remove the cause and start the listener";
        events.on(new ListenerEvent.Unexpected(EngineStage.START.text(), cause));
        log.error("Listener {}: it could not be {}", listener, what, cause);
    }

    /** The engine failed, and the next run starts by itself. */
    void restarting(Throwable cause) {
        problem =
                "its engine failed (" + SafeThrowable.text(cause) + ") and starts again; look for the error in the log";
    }

    /** Forgets the failure, because somebody has stopped the container. */
    void forget() {
        problem = null;
    }

    /** Adds the failure to the status. */
    ContainerStatus status(ContainerStatus status) {
        String failed = problem;
        return failed == null ? status : status.withProblem(failed);
    }
}
