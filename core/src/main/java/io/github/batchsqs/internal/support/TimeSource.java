/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.time.Instant;

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
