/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/**
 * Time as a dependency, so that tests can set it.
 *
 * <p>Everything in the engine that decides by time takes {@code now} as a parameter; only the thin loops around those
 * decisions read this source. Safe for use by any thread.
 */
public interface TimeSource {

    /** {@return the monotonic time in nanoseconds, comparable only with other values of this source} */
    long nanos();

    /** {@return the wall-clock time, which measures how long ago SQS accepted a message} */
    Instant now();

    /**
     * Waits for so many nanoseconds of this source, or for less, as {@link LockSupport#parkNanos(Object, long)} does.
     *
     * @param blocker what the thread waits for
     * @param nanos how long at most
     */
    default void park(Object blocker, long nanos) {
        LockSupport.parkNanos(blocker, nanos);
    }

    /** {@return the time of this machine} */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }

    /** The time of this machine. */
    enum SystemTime implements TimeSource {
        /** The only instance. */
        INSTANCE;

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }
    }
}
