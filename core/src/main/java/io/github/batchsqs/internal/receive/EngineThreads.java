/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.support.Alarm;
import java.time.Duration;
import java.util.concurrent.Executor;

/** The source of a {@link Pipeline}'s threads: {@link ContainerThreads}, or a test that steps the stages itself. */
interface EngineThreads {

    /** Runs each task at once, beside all others. Handlers run here, so a task may wait long for a carrier. */
    Executor virtual(String role);

    /** Runs each poller at once; it waits for no carrier. */
    default Executor pollers() {
        return virtual("poller");
    }

    /** Runs calls that delete messages and send dead letters, each at once; they wait for no carrier. */
    default Executor calls() {
        return virtual("settle");
    }

    /** Runs calls that change the visibility of messages, heartbeats among them; they wait for no carrier, nor for other calls. */
    default Executor visibilityCalls() {
        return calls();
    }

    /** Runs up to {@code size} tasks at once; see {@link #resizePool}. */
    Executor platform(String role, int size);

    /** Changes the size of the pool that {@link #platform} made, if it was asked for one. */
    void resizePool(int size);

    /** Makes the alarm of a look, which is taken until {@link #close}. */
    Alarm alarm(Runnable look);

    /** Takes a look again and again, with the interval between two of them, until {@link #close}. */
    void every(Duration interval, Runnable look);

    /** The engine threw what nobody foresees, which ends the run. Any thread may call this, with locks held. */
    default void failed(Throwable failure) {
        throw new IllegalStateException("The engine failed", failure);
    }

    /** Ends the timers. Threads of tasks end with their tasks. */
    void close();
}
