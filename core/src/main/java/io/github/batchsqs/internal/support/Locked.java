/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs short critical sections. */
public final class Locked {

    private Locked() {}

    /** Runs a change with the lock held. */
    public static void run(Lock lock, Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until none is left, at most so long.
     *
     * @param fewer a condition of the lock, which is signalled when the last one ends
     * @param left how many are left; asked with the lock held
     * @return how many are left then
     */
    public static int awaitNone(Lock lock, Condition fewer, IntSupplier left, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (long rest = nanos; left.getAsInt() > 0 && rest > 0; ) {
                rest = fewer.awaitNanos(rest);
            }
            return left.getAsInt();
        } finally {
            lock.unlock();
        }
    }

    /** Returns what the action returns with the lock held. */
    public static <T extends @Nullable Object> T get(Lock lock, Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
