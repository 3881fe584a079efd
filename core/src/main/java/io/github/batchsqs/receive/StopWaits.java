/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads that wait for the end of a run, and the runs for which they wait. A handler that waits for the end of a run which
 * in turn waits for that handler would wait until the shutdown timeout: directly, or through handlers of other containers that
 * stop containers too. The wait that would close such a circle is refused.
 *
 * <p>Safe for use by any thread. No lock of a run may be held by the caller.
 */
final class StopWaits {

    private static final ReentrantLock lock = new ReentrantLock();
    private static final Map<Thread, Wait> waiting = new HashMap<>();
    private static final ThreadLocal<Thread> principal = ThreadLocal.withInitial(Thread::currentThread);

    /** What is waited for. */
    interface Ending {

        /** Returns whether its end waits for the thread, which is in an invocation of it. */
        boolean invokesOn(Thread thread);
    }

    /** A wait for an end, and the thread that goes on after it. */
    private record Wait(Thread caller, Ending run) {}

    private StopWaits() {}

    /** Returns the thread on whose behalf the calling one works, which is itself unless it runs a task of another. */
    static Thread principal() {
        return principal.get();
    }

    /** Runs a task of which another thread waits for the end: what the task waits for, that thread waits for. */
    static void onBehalfOf(Thread caller, Runnable task) {
        principal.set(caller);
        try {
            task.run();
        } finally {
            principal.remove();
        }
    }

    /**
     * Begins a wait of the calling thread, which {@link #end} ends.
     *
     * @return {@code false} if the run ends only after the calling thread has returned from its invocation, so that it must
     *     not wait
     */
    static boolean begin(Ending run) {
        Thread caller = principal.get();
        lock.lock();
        try {
            boolean waits = !waitsFor(caller, run, new HashSet<>());
            if (waits) {
                waiting.put(Thread.currentThread(), new Wait(caller, run));
            }
            return waits;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the wait of the calling thread. */
    static void end() {
        lock.lock();
        try {
            waiting.remove(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the end of the run waits for the caller: in its own invocations, or in those of runs they wait for. */
    private static boolean waitsFor(Thread caller, Ending run, Set<Ending> seen) {
        if (!seen.add(run)) {
            return false;
        }
        if (run.invokesOn(caller)) {
            return true;
        }
        for (Wait wait : waiting.values()) {
            if (run.invokesOn(wait.caller()) && waitsFor(caller, wait.run(), seen)) {
                return true;
            }
        }
        return false;
    }
}
