/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.delivery;

/**
 * The memory that a listener has taken: for its messages in flight, and for those that its open receives may bring. Belongs to
 * the {@link InFlightLimit}'s lock.
 *
 * <p>A requested message counts twice its likely size, because while a receive ends its response is in memory beside the messages made from it.
 * The likely size is the largest mean of the responses so far, and falls by a sixteenth of the difference with each smaller one. After an
 * empty response the listener requests no more than its part of the memory, but at least one message.
 *
 * <p>Before the first message nothing is known. Then a request takes no memory, so that listeners of empty queues leave it to the others.
 * But all such listeners together request no more messages than would fit if each had 1 MiB, or one each.
 */
final class InFlightBytes {

    /** The response, and the messages made from it. */
    private static final int COPIES = 2;

    private static final int FORGETS = 16;

    private final MessageMemory memory;
    private long held;
    private long waitingForRetry;
    private long waitingForDeadLetter;
    private int requested;
    /** 0 until a message was received. */
    private long likely;

    private boolean idle;
    private long taken;
    private int takenUnknown;
    private boolean joined;
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
        if (wanted < 1) {
            return 0;
        }
        return isKnown()
                ? memory.room(atMost(wanted), atLeast(), bytesOfEach(), own())
                : memory.roomForUnknown(wanted, atLeast());
    }

    /** Takes memory for a receive of up to the wanted number of messages. Returns for how many; perhaps for none. */
    int request(int wanted) {
        if (wanted < 1) {
            return 0;
        }
        join();
        int granted;
        if (isKnown()) {
            granted = memory.take(atMost(wanted), atLeast(), bytesOfEach(), own());
            taken += granted * bytesOfEach();
        } else {
            granted = memory.takeForUnknown(wanted, atLeast());
            takenUnknown += granted;
        }
        requested += granted;
        if (closed) {
            charge();
        }
        return granted;
    }

    private void join() {
        if (!joined && !closed) {
            joined = true;
            memory.join();
        }
    }

    /** Returns how many messages could be requested if nothing else had taken memory, at least one. */
    long most() {
        return Math.max(1, isKnown() ? memory.common() / bytesOfEach() : memory.max() / MessageMemory.LARGEST);
    }

    /** Returns the number of messages for which a poller that finds room for fewer waits a little. */
    long worthWaitingFor() {
        return isKnown() && !idle ? most() : Math.max(1, room(Integer.MAX_VALUE));
    }

    /** Returns whether there is no room for a receive, and none is open that could bring messages. */
    boolean exhausted() {
        return requested == 0 && room(1) == 0;
    }

    /** Returns whether there is no room, because the messages in flight have what is this listener's if all share equally. */
    boolean full() {
        return held > 0 && room(1) == 0 && held + bytesOfEach() > memory.equalShare();
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

    /** The messages in flight that wait for a retry have so many bytes. */
    void waitForRetry(long bytes) {
        long counted = closed ? 0 : bytes;
        memory.addWaiting(counted - waitingForRetry);
        waitingForRetry = counted;
    }

    /** Takes room for messages of so many bytes that are about to wait for a retry; {@link #waitForRetry} counts them then. */
    boolean takeToWait(long bytes) {
        boolean room = closed || memory.takeToWait(bytes);
        waitingForRetry += room && !closed ? bytes : 0;
        return room;
    }

    /**
     * So many bytes more wait for a dead-letter queue, or fewer with a negative number.
     *
     * @return how many are counted: none if no more may wait
     */
    long waitForDeadLetter(long bytes) {
        if (closed || (bytes > 0 && !memory.takeToWait(bytes))) {
            return 0;
        }
        memory.addWaiting(Math.min(0, bytes));
        waitingForDeadLetter += bytes;
        return bytes;
    }

    /** Releases everything, also what is not settled, and takes nothing any more. */
    void close() {
        if (joined && !closed) {
            memory.leave();
        }
        long unused = waitForDeadLetter(-waitingForDeadLetter);
        closed = true;
        waitForRetry(0);
        charge();
    }

    private void charge() {
        long bytes = closed ? 0 : held + (isKnown() ? requested * bytesOfEach() : 0);
        int unknown = closed || isKnown() ? 0 : requested;
        memory.add(bytes - taken, unknown - takenUnknown);
        taken = bytes;
        takenUnknown = unknown;
    }

    private boolean isKnown() {
        return likely > 0;
    }

    private long bytesOfEach() {
        return COPIES * likely;
    }

    /** Groups that wait for a retry or a dead-letter queue keep no other group out. */
    private long own() {
        return taken - waiting();
    }

    private int atLeast() {
        return held <= waiting() && requested == 0 ? 1 : 0;
    }

    private long waiting() {
        return waitingForRetry + waitingForDeadLetter;
    }

    private int atMost(int wanted) {
        return idle ? Math.clamp(Math.max(1, memory.part() / bytesOfEach()) - requested, 0, wanted) : wanted;
    }
}
