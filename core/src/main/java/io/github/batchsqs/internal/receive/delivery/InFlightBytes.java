/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

/**
 * The memory that one listener has taken: for its messages in flight, and for those that its open receives probably bring. Belongs to the
 * {@link InFlightLimit}'s lock.
 *
 * <p>A requested message counts twice its likely size, because while a receive ends its response is in memory beside the messages made from it.
 * The likely size is the largest mean of the responses so far, and falls by a sixteenth of the difference with each smaller one. Before the first
 * message, and after an empty response, open receives take no memory, so that listeners of empty queues leave it to the others.
 *
 * <p>A listener that holds nothing and requests nothing may always begin one receive, for a sixteenth of the memory, at least for one message.
 */
final class InFlightBytes {

    /** The response, and the messages made from it. */
    private static final int COPIES = 2;

    private static final int FORGETS = 16;

    /** One receive in excess of the memory may bring this part of it. */
    private static final int ALWAYS_PART = 16;

    /** The maximum size of a message, which is expected while nothing is known. */
    private static final long LARGEST = 1 << 20;

    private final MessageMemory memory;
    private long held;
    private int requested;
    private long taken;
    /** 0 until a message was received. */
    private long likely;

    private boolean idle = true;
    private boolean closed;

    InFlightBytes(MessageMemory memory) {
        this.memory = memory;
    }

    /** Returns how many bytes the messages in flight have. */
    long held() {
        return held;
    }

    /** Returns how many of the wanted messages may be requested now. */
    int room(int wanted) {
        long always = holdsNothing() ? Math.max(1, memory.max() / ALWAYS_PART / bytesOfEach()) : 0;
        return (int) Math.clamp(Math.max(always, memory.free() / bytesOfEach()), 0L, Math.max(0, wanted));
    }

    /** Returns how many of the wanted messages are worth waiting for if there is room for fewer. */
    long enough(int wanted) {
        return holdsNothing() ? room(wanted) : Math.min(wanted, most());
    }

    /** Returns how many messages could be requested if nothing else had taken memory, at least one. */
    long most() {
        return Math.max(1, memory.max() / bytesOfEach());
    }

    /** Takes memory for a receive of so many messages. */
    void requested(int messages) {
        requested += messages;
        charge();
    }

    /** Requested messages were not received. */
    void notReceived(int messages) {
        requested -= messages;
        charge();
    }

    /**
     * A receive is over.
     *
     * @param asked how many messages were requested
     * @param kept how many of them are in flight now
     * @param bytes how many bytes those have
     */
    void received(int asked, int kept, long bytes) {
        requested -= asked;
        held += bytes;
        idle = kept == 0;
        if (kept > 0) {
            long mean = Math.max(1, bytes / kept);
            likely = Math.max(mean, likely - (likely - mean) / FORGETS);
        }
        charge();
    }

    /** Messages of so many bytes are no longer in flight. */
    void untracked(long bytes) {
        held -= bytes;
        charge();
    }

    /** Returns whether there is no room for a receive, and none is open that could bring messages. */
    boolean exhausted() {
        return requested == 0 && room(1) == 0;
    }

    /** Releases everything, also what is not settled, and takes nothing any more. */
    void close() {
        closed = true;
        charge();
    }

    private boolean holdsNothing() {
        return held == 0 && requested == 0;
    }

    private void charge() {
        long bytes = closed ? 0 : held + (idle ? 0 : requested * bytesOfEach());
        memory.add(bytes - taken);
        taken = bytes;
    }

    private long bytesOfEach() {
        return likely == 0 ? LARGEST : COPIES * likely;
    }
}
