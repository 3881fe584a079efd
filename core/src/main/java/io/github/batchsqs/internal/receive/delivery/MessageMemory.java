/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.Check;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for messages in flight: one semaphore of bytes for all listeners of an application. Whoever comes first
 * takes of it; a listener that holds nothing may always begin one receive, see {@link InFlightLimit}. Safe for use by
 * any thread.
 */
public final class MessageMemory {

    private static final int HEAP_SHARE = 8;
    private static final long LEAST = 1 << 20;

    private final long max;
    private final AtomicLong taken = new AtomicLong();

    /** What wakes the pollers of listeners that wait for memory. */
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

    /** @param max how many bytes the messages in flight of all listeners may have together, at least 1 */
    public MessageMemory(long max) {
        this.max = max;
    }

    /**
     * Makes the memory that an application has configured.
     *
     * @param bytes the maximum size of all messages in flight together, at least 1 MiB
     * @throws InvalidOptionException if it is less
     */
    public static MessageMemory of(long bytes) {
        Check.that(
                bytes >= LEAST,
                "batchsqs.in-flight-bytes",
                "must be at least " + Check.bytes(LEAST),
                Check.bytes(bytes),
                "set a higher value, or remove the key for an eighth of the heap");
        return new MessageMemory(bytes);
    }

    /** Returns memory of an eighth of the maximum heap. */
    public static MessageMemory ofHeap() {
        return new MessageMemory(Math.max(LEAST, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
    }

    /** Returns memory that is never exhausted. */
    public static MessageMemory unlimited() {
        return new MessageMemory(Long.MAX_VALUE / 2);
    }

    /** Returns how many bytes may be taken. */
    public long max() {
        return max;
    }

    /** Returns how many bytes are taken: by messages in flight, and for those that open receives probably bring. */
    public long taken() {
        return taken.get();
    }

    long free() {
        return max - taken.get();
    }

    /** Takes memory, or releases it if the number is negative. */
    void add(long bytes) {
        if (bytes != 0) {
            long unused = taken.addAndGet(bytes);
        }
    }

    /** Runs the action whenever memory may have been released. Returns {@code false} if it does already. */
    boolean await(Runnable wake) {
        return waiting.add(wake);
    }

    /** Ends that. */
    void awaitNoMore(Runnable wake) {
        waiting.remove(wake);
    }

    /** Wakes those that wait. The caller holds no lock of an in-flight limit. */
    void wakeWaiting() {
        if (!waiting.isEmpty()) {
            waiting.forEach(Runnable::run);
        }
    }
}
