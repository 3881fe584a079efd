/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Reports the start and the stop of a run in this order, though the stop may come at once after the start and on another thread.
 *
 * <p>The lock is its own: what is reported to may call the container, whose locks must not be held then. Safe for use by any
 * thread.
 */
final class StateReports {

    private final ListenerEvents events;
    private final ReentrantLock lock = new ReentrantLock();

    StateReports(ListenerEvents events) {
        this.events = events;
    }

    /** Reports a start unless it fails. No stop is reported meanwhile. Returns whether it has succeeded. */
    boolean started(BooleanSupplier start) {
        lock.lock();
        try {
            boolean started = start.getAsBoolean();
            if (started) {
                events.on(new ListenerEvent.Started());
            }
            return started;
        } finally {
            lock.unlock();
        }
    }

    void stopped() {
        lock.lock();
        try {
            events.on(new ListenerEvent.Stopped());
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the calling thread is in a report, so that the end of the run waits for it. */
    boolean isReporting() {
        return lock.isHeldByCurrentThread();
    }
}
