/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.delivery;

/**
 * The memory that a listener has taken: for its messages in flight, and for those that its open receives may bring. Belongs to
 * the {@link InFlightLimit}'s lock.
 *
 * <p>A requested message counts twice its likely size, because while a receive ends its response is in memory beside the messages made from it.
 * The likely size is the largest mean of the responses so far, and falls by a sixteenth of the difference with each smaller one.
 *
 * <p>Before the first message nothing is known. A request then counts little, so that listeners of empty queues leave the memory to the others,
 * but no more messages are requested than would fit if each had {@link #LARGEST}.
 */
final class InFlightBytes {

    /** What SQS accepts as one message. */
    private static final long LARGEST = 1 << 20;

    private static final long LIKELY_AT_FIRST = 16 << 10;

    /** The response, and the messages made from it. */
    private static final int COPIES = 2;

    private static final int FORGETS = 16;

    private final MessageMemory memory;
    private long held;
    private long requested;
    private long likely = LIKELY_AT_FIRST;
    private boolean known;
    private long taken;
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
        return wanted < 1 ? 0 : memory.room(atMost(wanted), atLeast(), bytesOfEach());
    }

    /** Takes memory for a receive of up to the wanted number of messages. Returns for how many; perhaps for none. */
    int request(int wanted) {
        int granted = wanted < 1 ? 0 : memory.take(atMost(wanted), atLeast(), bytesOfEach());
        requested += granted;
        taken += granted * bytesOfEach();
        return granted;
    }

    /** Returns how many messages could be requested if nothing else had taken memory, at least one. */
    long most() {
        return Math.max(1, memory.max() / (known ? bytesOfEach() : LARGEST));
    }

    /** Returns whether there is no room for a receive, and none is open that could bring messages. */
    boolean exhausted() {
        return requested == 0 && room(1) == 0;
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
        if (kept > 0) {
            long mean = Math.max(1, bytes / kept);
            likely = known ? Math.max(mean, likely - (likely - mean) / FORGETS) : mean;
            known = true;
        }
        charge();
    }

    /** Messages of so many bytes are no longer in flight. */
    void untracked(long bytes) {
        held -= bytes;
        charge();
    }

    /** Releases everything, also what is not settled, and takes nothing any more. */
    void close() {
        closed = true;
        charge();
    }

    private void charge() {
        long now = closed ? 0 : held + requested * bytesOfEach();
        memory.add(now - taken);
        taken = now;
    }

    private long bytesOfEach() {
        return COPIES * likely;
    }

    private int atLeast() {
        return held == 0 && requested == 0 ? 1 : 0;
    }

    private int atMost(int wanted) {
        return known ? wanted : (int) Math.min(wanted, Math.max(atLeast(), most() - requested));
    }
}
