/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/** Where a {@link Pipeline} gets its threads from: {@link ContainerThreads}, or a test that steps the stages itself. */
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

    /** Runs a loop on a thread of its own until {@link #close}. */
    void loop(String role, Loop loop);

    /** Calls it again and again, with the interval between two calls, until {@link #close}. */
    void every(String role, Duration interval, Runnable task);

    /** Blocks the calling thread until the promise is completed; fails as the promise does. */
    void await(CompletableFuture<?> promise) throws InterruptedException, ExecutionException;

    /** Ends the loops. Threads of tasks end with their tasks. */
    void close();

    /** A loop that ends when its thread is interrupted. */
    @FunctionalInterface
    interface Loop {
        void run() throws InterruptedException;
    }
}
