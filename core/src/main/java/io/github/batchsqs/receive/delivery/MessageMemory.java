/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.delivery;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for messages in flight that several listeners share. Each listener takes of it through its {@link InFlightLimit}.
 *
 * <p>A listener that holds nothing gets room for one message however much the others have taken, and a response counts as it is even if it is
 * larger than expected, so that more than the maximum may be taken for a while. Safe for use by any thread.
 */
public final class MessageMemory {

    private final long max;
    private final AtomicLong taken = new AtomicLong();

    /** What wakes the pollers of listeners that wait for memory. */
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

    /** @param max how many bytes the messages in flight of all listeners may have together, at least 1 */
    public MessageMemory(long max) {
        this.max = max;
    }

    /** Returns memory that is never exhausted. */
    public static MessageMemory unlimited() {
        return new MessageMemory(Long.MAX_VALUE / 2);
    }

    /** Returns how many bytes may be taken. */
    public long max() {
        return max;
    }

    /** Returns how many bytes are taken: by messages in flight, and for those that open receives may bring. */
    public long taken() {
        return taken.get();
    }

    /** Returns for how many of the wanted messages there is room, and at least the given number. */
    int room(int wanted, int atLeast, long bytesOfEach) {
        return room(wanted, atLeast, bytesOfEach, taken.get());
    }

    /** Takes memory for up to the wanted number of messages, and at least for the given number. Returns for how many. */
    int take(int wanted, int atLeast, long bytesOfEach) {
        while (true) {
            long before = taken.get();
            int room = room(wanted, atLeast, bytesOfEach, before);
            if (taken.compareAndSet(before, before + room * bytesOfEach)) {
                return room;
            }
        }
    }

    private int room(int wanted, int atLeast, long bytesOfEach, long before) {
        return Math.clamp((max - before) / bytesOfEach, Math.min(atLeast, wanted), wanted);
    }

    /** Takes so many bytes, or releases them if the number is negative. */
    void add(long bytes) {
        long unused = taken.addAndGet(bytes);
    }

    /** Has the pollers of a listener woken whenever memory may have been released. */
    void await(Runnable wake) {
        waiting.add(wake);
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
