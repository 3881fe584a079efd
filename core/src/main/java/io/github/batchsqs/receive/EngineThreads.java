/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

/** The source of a {@link Pipeline}'s threads: {@link ContainerThreads}, or a test that steps the stages itself. */
interface EngineThreads {

    /** Runs each task at once, beside all others. */
    Executor virtual(String role);

    /** The same for calls to SQS: a thread whose call is over may be used again. */
    default Executor calls(String role) {
        return virtual(role);
    }

    /** Runs up to {@code size} tasks at once; see {@link #resizePool}. */
    Executor platform(String role, int size);

    /** Changes the size of the pool that {@link #platform} made, if it was asked for one. */
    void resizePool(int size);

    /** Runs a loop on a thread of its own until it returns or {@link #close}; if it throws, again. */
    void loop(String role, Loop loop);

    /** Calls it again and again, with the interval between two calls, until {@link #close}. */
    void every(String role, Duration interval, Runnable task);

    /** Returns the roles of the loops that ended although this was not closed; none while all is well. */
    default List<String> endedLoops() {
        return List.of();
    }

    /** Ends the loops. Threads of tasks end with their tasks. */
    void close();

    /** A loop that ends when its thread is interrupted. */
    @FunctionalInterface
    interface Loop {
        void run() throws InterruptedException;
    }
}
