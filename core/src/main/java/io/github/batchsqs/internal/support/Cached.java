/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A value that is read again when it is too old. One thread reads it while the others wait. What the source throws is
 * thrown to all who ask, until it is too old, too. What an interrupted thread has read is kept for nobody. Safe for use by any thread.
 */
public final class Cached<T> {

    private final Callable<T> source;
    private final long keptNanos;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Read<T> last;

    /** What was read, or thrown instead. */
    private record Read<T>(@Nullable T value, @Nullable Throwable failure, long nanos) {}

    /** @param source reads the value; blocks perhaps, until an interrupt */
    public Cached(Callable<T> source, Duration kept, TimeSource time) {
        this.source = source;
        this.keptNanos = kept.toNanos();
        this.time = time;
    }

    /** Returns the value, no older than it may be. */
    public T get() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Read<T> read = last;
            if (read == null || time.nanos() - read.nanos() >= keptNanos) {
                read = read();
                last = Thread.currentThread().isInterrupted() ? null : read;
            }
            return value(read);
        } finally {
            lock.unlock();
        }
    }

    private Read<T> read() throws InterruptedException {
        ForeignCode.Outcome<T> outcome = ForeignCode.call(source);
        if (outcome.failure() instanceof InterruptedException interrupt) {
            throw interrupt;
        }
        return new Read<>(outcome.value(), outcome.failure(), time.nanos());
    }

    private T value(Read<T> read) {
        T value = read.value();
        if (value != null) {
            return value;
        }
        switch (read.failure()) {
            case RuntimeException failure -> throw failure;
            case Error failure -> throw failure;
            case null, default -> throw new IllegalStateException("There is no value");
        }
    }
}
