/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message in a queue: what was sent, and the state that receives and time give it. Times are nanoseconds since 1970. */
public final class Stored<P extends Payload> {

    final long sequence;
    private final String id;
    private final P payload;
    private final @Nullable String group;
    private final @Nullable String deduplicationId;
    private final long sentAt;

    int receives;

    /** Counts the handles that were given and those that a move to a dead-letter queue made void. */
    int handles;

    long firstReceivedAt;
    long receivedAt;
    long visibleAt;

    /** Delayed or in flight. */
    boolean hidden;

    boolean inFlight;
    boolean gone;

    /** The latest receive with an attempt id, which can be repeated only while all its messages are as they were. */
    @Nullable
    String attemptId;

    @Nullable
    String deadLetterSource;

    Stored(long sequence, Outgoing<P> sent, @Nullable String deduplicationId, long sentAt) {
        this.sequence = sequence;
        this.id = new UUID(mix(sequence), mix(~sequence)).toString();
        this.payload = sent.payload();
        this.group = sent.group();
        this.deduplicationId = deduplicationId;
        this.sentAt = sentAt;
    }

    /** The message id; the same in each run for the same number of messages before. */
    public String id() {
        return id;
    }

    public P payload() {
        return payload;
    }

    public @Nullable String group() {
        return group;
    }

    /** On FIFO queues; the hash of the body if the sender gave none. */
    public @Nullable String deduplicationId() {
        return deduplicationId;
    }

    public long sentAt() {
        return sentAt;
    }

    /** 0 if it was never received. */
    public long firstReceivedAt() {
        return firstReceivedAt;
    }

    /** How often it was received so far, in the source of a dead-letter queue too. */
    public int receiveCount() {
        return receives;
    }

    /** Whether it was received, and is neither visible again nor gone. */
    public boolean inFlight() {
        return inFlight;
    }

    /** Whether it waits for the end of its delay. */
    public boolean delayed() {
        return hidden && !inFlight;
    }

    /** Whether no visibility timeout and no delay hides it. On FIFO an earlier message of its group may withhold it all the same. */
    public boolean visible() {
        return !hidden && !gone;
    }

    /** When it becomes visible if nothing happens before; of meaning while it is hidden. */
    public long visibleAt() {
        return visibleAt;
    }

    /** Whether it was deleted, moved away from this queue, or discarded. */
    public boolean gone() {
        return gone;
    }

    /** The name of the queue that it was moved from by redrive, or {@code null}. */
    public @Nullable String deadLetterSource() {
        return deadLetterSource;
    }

    /** As SQS numbers messages of FIFO queues: 20 digits, in the order of acceptance. */
    public String sequenceNumber() {
        return "1888" + Handles.padded(sequence);
    }

    @Override
    public String toString() {
        return "message " + id + " (receives " + receives + ", "
                + (gone ? "gone" : inFlight ? "in flight" : hidden ? "delayed" : "visible")
                + (group == null ? "" : ", group " + group) + ")";
    }

    private static long mix(long value) {
        long z = (value + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        return (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    }
}
