/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Starts platform threads, which computing virtual threads do not keep, and which do not keep the process. */
public final class DaemonThreads {

    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private DaemonThreads() {}

    /** Starts a thread; a virtual one if no platform thread can be started. */
    public static void start(String name, Runnable task) {
        try {
            Thread.ofPlatform().daemon().name(name).start(task);
        } catch (OutOfMemoryError e) {
            insist(() -> {
                Thread unused = Thread.ofVirtual().name(name).start(task);
            });
        }
    }

    /**
     * Starts a virtual thread, again and again while it has no thread that carries it: nobody has another plan for its task. Blocks
     * meanwhile, as Java does where such a thread goes on.
     */
    public static void insist(Runnable start) {
        while (true) {
            try {
                start.run();
                return;
            } catch (OutOfMemoryError noCarrier) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
