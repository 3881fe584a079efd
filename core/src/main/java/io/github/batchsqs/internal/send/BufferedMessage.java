/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.payload.OffloadedPayload;
import io.github.batchsqs.send.SendResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A message that was checked and is ready to be sent, with the future that its sender holds. */
final class BufferedMessage {

    /** The queue as the message names it. */
    final String queue;

    final SendEntry entry;
    /** Its size in a call. */
    final long bytes;

    /** Its payload, if that is stored outside of SQS; the entry has a pointer then. */
    final @Nullable OffloadedPayload payload;

    /** The memory that it occupies, without the overhead. */
    final long occupied;

    /**
     * Nothing inside the sender depends on it: the caller may complete, cancel or time it out, and then callbacks of the sender
     * would not run.
     */
    final CompletableFuture<SendResult> future = new CompletableFuture<>();

    /** Its place in its message group if it comes from an outbox; written before it is handed on. */
    @Nullable
    StoredPlace place;

    /** When its sender took it; written before it is handed on. */
    long bufferedAt;

    /** Whether a call carried it before the last one that did; written by one call after the other. */
    boolean again;

    /** Whether a call tried to upload the payload, and whether it is stored; written by one call after the other. */
    boolean uploadTried;

    boolean uploaded;

    private static final AtomicIntegerFieldUpdater<BufferedMessage> FATE =
            AtomicIntegerFieldUpdater.newUpdater(BufferedMessage.class, "fate");
    private static final int OPEN = 0;
    private static final int CARRIED = 1;
    private static final int ANSWERED = 2;
    private static final int FAILED = 3;
    private static final int ENDED = 4;

    /** Whether a call to SQS carries it, or calls did and have ended; and whether it has failed behind these, or before any. */
    private volatile int fate = OPEN;

    BufferedMessage(String queue, SendEntry entry, long bytes, @Nullable OffloadedPayload payload) {
        this.queue = queue;
        this.entry = entry;
        this.bytes = bytes;
        this.payload = payload;
        this.occupied = payload == null ? bytes : bytes + payload.bytes();
    }

    /** A call to SQS is about to carry it; returns whether it may: not if the message has failed before. */
    boolean mayBeCarried() {
        again |= FATE.compareAndSet(this, ANSWERED, CARRIED);
        return FATE.compareAndSet(this, OPEN, CARRIED) || fate == CARRIED;
    }

    /** A batch that it was in has ended; returns whether a call carried it. */
    boolean answered() {
        return FATE.compareAndSet(this, CARRIED, ANSWERED);
    }

    /** It has failed; returns whether a call carries it, and otherwise none will. */
    boolean stillCarried() {
        return !FATE.compareAndSet(this, OPEN, ENDED) && !FATE.compareAndSet(this, ANSWERED, FAILED) && fate == CARRIED;
    }

    /** Returns whether it failed before a call carried it. */
    boolean endedUncarried() {
        return fate == ENDED;
    }

    /** Returns whether a call has carried it, or does. */
    boolean hasBegun() {
        return fate != OPEN;
    }
}
