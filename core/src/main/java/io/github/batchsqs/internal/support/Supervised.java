/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.function.Consumer;

/** The top of the engine's threads: what its code throws, which nobody foresees, goes from here to whoever ends the run. */
public final class Supervised {

    private Supervised() {}

    /** Starts something. If that throws, because there is no thread for example, undoes it, and passes on what it threw. */
    public static void start(Runnable start, Runnable undo) {
        boolean started = false;
        try {
            start.run();
            started = true;
        } finally {
            if (!started) {
                undo.run();
            }
        }
    }

    /**
     * Runs a task of the engine.
     *
     * @param failed gets what the task throws; ends the run, usually
     */
    public static void run(Runnable task, Consumer<Throwable> failed) {
        try {
            task.run();
        } catch (Throwable e) {
            failed.accept(e);
        }
    }
}
