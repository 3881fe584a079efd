/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

/** Has a look taken at a time. Whoever owns the threads makes it for one look, which is taken by one thread at a time. */
@FunctionalInterface
public interface Alarm {

    /** No time. */
    long NEVER = Long.MAX_VALUE;

    /** Nobody takes the look. */
    Alarm NONE = nanos -> {};

    /** Has the look taken after so long, or earlier; {@link #NEVER} asks for none. */
    default void ringIn(long nanos, long now) {
        if (nanos != NEVER) {
            ringAt(now + nanos);
        }
    }

    /** Returns the earlier one of two times, of which the first may be {@link #NEVER}. */
    static long earlier(long one, long other) {
        return one == NEVER || other - one < 0 ? other : one;
    }

    /**
     * Has the look taken at this time, in {@link io.github.batchsqs.internal.support.TimeSource#nanos()}, or earlier if
     * that was asked for before. After the look nothing is asked for any more. Any thread may call this; a virtual one should hold
     * no {@link EngineLock}, because this may start a thread.
     */
    void ringAt(long nanos);
}
