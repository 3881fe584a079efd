/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.delivery;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for messages in flight that several listeners share. Each listener takes of it through its {@link InFlightLimit}.
 *
 * <p>A quarter is divided equally among the listeners: each may always take its {@link #part}, however much the others have taken, and
 * the message that goes beyond it. The rest belongs to whoever comes first. What groups that wait for a retry or a dead-letter queue hold
 * does not count against the part of their listener, and may be half of the memory.
 *
 * <p>A listener that holds nothing gets room for one message in any case, and a response counts as it is even if it is larger than
 * expected, so that more than the maximum may be taken for a while. Safe for use by any thread.
 */
public final class MessageMemory {

    /** The maximum size of a message. */
    static final long LARGEST = 1 << 20;

    private static final int DIVIDED = 4;

    private final long max;
    private final AtomicInteger listeners = new AtomicInteger();
    private final AtomicLong taken = new AtomicLong();

    /** How many messages are requested by listeners that do not know the size of theirs. */
    private final AtomicInteger requestedUnknown = new AtomicInteger();

    private final AtomicLong waitingForRetry = new AtomicLong();

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

    /**
     * Returns how many bytes are taken: by messages in flight, and for those that open receives may bring to listeners that know the size
     * of their messages.
     */
    public long taken() {
        return taken.get();
    }

    /** A listener begins to take memory. */
    void join() {
        int unused = listeners.incrementAndGet();
    }

    /** It takes none any more. */
    void leave() {
        int unused = listeners.decrementAndGet();
    }

    /** Returns how many bytes each listener may always take: all if there is but one. */
    long part() {
        int sharers = listeners.get();
        return sharers < 2 ? max : max / DIVIDED / sharers;
    }

    /**
     * Returns how many bytes each listener would have if all had the same of what is taken beyond the free parts. When there is no
     * room, at least one listener has as much.
     */
    long equalShare() {
        return common() / Math.max(1, listeners.get());
    }

    /** Returns how many bytes may be taken by those that take more than their part: the parts of the others stay free. */
    long common() {
        return max - part() * Math.max(0, listeners.get() - 1);
    }

    /** Returns for how many of the wanted messages there is room, and at least the given number. */
    int room(int wanted, int atLeast, long bytesOfEach, long own) {
        return room(wanted, atLeast, bytesOfEach, own, taken.get());
    }

    /**
     * Takes memory for up to the wanted number of messages, and at least for the given number. Returns for how many.
     *
     * @param own how many bytes the listener has taken already, without those of groups that wait for a retry
     */
    int take(int wanted, int atLeast, long bytesOfEach, long own) {
        while (true) {
            long before = taken.get();
            int room = room(wanted, atLeast, bytesOfEach, own, before);
            if (taken.compareAndSet(before, before + room * bytesOfEach)) {
                return room;
            }
        }
    }

    private int room(int wanted, int atLeast, long bytesOfEach, long own, long before) {
        long unusedPart = part() - own;
        long free = Math.max(unusedPart, common() - before);
        int least = unusedPart > 0 && listeners.get() > 1 ? 1 : atLeast; // a part is rounded up to whole messages
        return Math.clamp(free / bytesOfEach, Math.min(least, wanted), wanted);
    }

    /** As {@link #room}, for a listener that does not know the size of its messages: each may be the largest. */
    int roomForUnknown(int wanted, int atLeast) {
        return roomForUnknown(wanted, atLeast, requestedUnknown.get());
    }

    /** As {@link #take}, for such a listener. */
    int takeForUnknown(int wanted, int atLeast) {
        while (true) {
            int before = requestedUnknown.get();
            int room = roomForUnknown(wanted, atLeast, before);
            if (requestedUnknown.compareAndSet(before, before + room)) {
                return room;
            }
        }
    }

    private int roomForUnknown(int wanted, int atLeast, int before) {
        return Math.clamp((max - taken.get()) / LARGEST - before, Math.min(atLeast, wanted), wanted);
    }

    /**
     * Takes memory, or releases it where a number is negative.
     *
     * @param unknown how many messages more are requested by a listener that does not know their size
     */
    void add(long bytes, int unknown) {
        if (bytes != 0) {
            long unused = taken.addAndGet(bytes);
        }
        if (unknown != 0) {
            int unused = requestedUnknown.addAndGet(unknown);
        }
    }

    /** Groups that wait for a retry or a dead-letter queue hold so many bytes more. */
    void addWaiting(long bytes) {
        if (bytes != 0) {
            long unused = waitingForRetry.addAndGet(bytes);
        }
    }

    /** As {@link #addWaiting}, but only if as many more may wait. Returns whether they may. */
    boolean takeToWait(long bytes) {
        while (true) {
            long before = waitingForRetry.get();
            if (before + bytes > maxWaitingForRetry()) {
                return false;
            }
            if (waitingForRetry.compareAndSet(before, before + bytes)) {
                return true;
            }
        }
    }

    /** Returns how many bytes groups that wait for a retry or a dead-letter queue hold. */
    public long waitingForRetry() {
        return waitingForRetry.get();
    }

    /**
     * Returns how many bytes groups that wait for a retry may hold. What they hold is requested again by pollers, so a maximum that is
     * exceeded by as much is normal; none more may wait beyond that.
     */
    public long maxWaitingForRetry() {
        return taken.get() > max + max / 2 ? 0 : max / 2;
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
