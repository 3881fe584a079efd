/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.support.SqsLimits;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A message that is in flight here: the message, its newest receipt handle, its lease, and the one decision of what becomes of
 * it. The small type that the stages share.
 *
 * <p>Safe for use by any thread. Whoever wants to settle the message claims it first ({@link #claim}); one claim succeeds,
 * and the others leave the message alone.
 */
public final class Delivery {

    private static final Object CLAIMED = new Object();

    /**
     * SQS hides a message for 12 hours from its receive, and counts whole seconds, rounded up, from when a call arrives. The
     * margin covers the rounding and the way of the receive's response and of the call.
     */
    private static final Duration LONGEST_VISIBILITY = SqsLimits.MAX_VISIBILITY.minusMinutes(1);

    private final ReceivedMessage message;
    private final @Nullable String group;
    private final int bytes;
    private final long receivedAt;
    private final long number;
    private final LongAdder settlements;
    /** {@code null} until the message is claimed; then {@link #CLAIMED}, or the future of its manual settlement. */
    private final AtomicReference<@Nullable Object> claim = new AtomicReference<>();

    private volatile boolean untracked;
    private volatile String receiptHandle;
    /** The receive count of the second receive, or of a later one. */
    private volatile int newestCount;

    private volatile long leaseUntil;
    private volatile long leaseAtLeastUntil;
    private volatile long receivedAtLeastUntil;
    private volatile boolean leaseLost;
    private volatile boolean everLost;
    private volatile boolean lost;
    private volatile boolean heartbeat;
    private volatile boolean manualLost;
    private volatile boolean deadLettered;
    private volatile int attemptsHere;
    private volatile @Nullable Failure failure;
    private volatile @Nullable Long visibleFrom;
    /** Decided by the invocation, carried out by its settlement. */
    private volatile @Nullable Settlement settlement;

    /**
     * Made by the {@link InFlightLedger}.
     *
     * @param group the message group on a FIFO queue; {@code null} on a standard queue, whatever its group id
     * @param number counts the messages that were received
     * @param settlements counts the messages that were claimed
     */
    Delivery(ReceivedMessage message, @Nullable String group, long receivedAt, long number, LongAdder settlements) {
        this.message = message;
        this.group = group;
        this.bytes = bytesOf(message);
        this.receivedAt = receivedAt;
        this.number = number;
        this.receiptHandle = message.receiptHandle();
        this.settlements = settlements;
    }

    private static int bytesOf(ReceivedMessage message) {
        int bytes = message.body().length();
        for (Map.Entry<String, MessageAttribute> attribute :
                message.attributes().entrySet()) {
            bytes += attribute.getValue().sizeInBytes(attribute.getKey());
        }
        return bytes;
    }

    /** The message as it was first received here. */
    public ReceivedMessage message() {
        return message;
    }

    /** Returns the message group on a FIFO queue; {@code null} on a standard queue. */
    public @Nullable String group() {
        return group;
    }

    /** Returns its size: the characters of its body, and its attributes. */
    public int bytes() {
        return bytes;
    }

    /** When it was received, in {@link io.github.batchsqs.internal.support.TimeSource#nanos()}. */
    public long receivedAt() {
        return receivedAt;
    }

    /** Its place in the order of all messages that were received, those of one receive included. */
    public long number() {
        return number;
    }

    /** The newest receipt handle. */
    public String receiptHandle() {
        return receiptHandle;
    }

    /**
     * When the message becomes visible to others unless it is extended, in {@link
     * io.github.batchsqs.internal.support.TimeSource#nanos()}.
     */
    public long leaseUntil() {
        return leaseUntil;
    }

    /**
     * The earliest time at which the message may become visible to others. It lies before {@link #leaseUntil} while the lease
     * is that of a receive that took long: the receive may have waited for the message, or its response may have been slow.
     */
    public long leaseAtLeastUntil() {
        return leaseAtLeastUntil;
    }

    /** Its lease as the receive began it. */
    void leased(long until, long atLeastUntil) {
        leaseUntil = until;
        leaseAtLeastUntil = atLeastUntil;
        receivedAtLeastUntil = atLeastUntil;
    }

    /** Whether the lease is known to be lost, or has run out. */
    public boolean leaseLost(long now) {
        return leaseLost || leaseUntil - now <= 0;
    }

    /** The lease is lost. Returns whether this is news. */
    public boolean loseLease() {
        boolean news = !leaseLost;
        leaseLost = true;
        everLost = true;
        manualLost = awaitsManualSettlement();
        return news;
    }

    /** Whether the lease was lost at any time, even if a second receive brought a new one. */
    public boolean everLost() {
        return everLost;
    }

    /** The message, or one ahead of it in its group, is no longer ours: it neither starts here any more nor is deleted or requeued. */
    public void lose() {
        lost = true;
    }

    /** Returns whether the message, or one ahead of it in its group, is no longer ours. */
    public boolean isLost() {
        return lost;
    }

    /**
     * A second receive of the message: its handle is the newest, and its lease a new one. Unless its response was late:
     * SQS counted it before the one that is known, or its lease began before the receive of that one was called. Then
     * it changes nothing.
     *
     * @return whether the old lease had run out unnoticed
     */
    boolean refresh(Delivery second, long now) {
        int count = second.receiveCount();
        int known = Math.max(newestCount, receiveCount());
        if (count < known || (count == known && second.leaseUntil - receivedAtLeastUntil < 0)) {
            return false;
        }
        boolean ranOut = leaseLost(now) && loseLease();
        newestCount = count;
        receiptHandle = second.receiptHandle;
        visibleFrom = null; // what the handler chose was for the old handle
        leased(second.leaseUntil, second.leaseAtLeastUntil);
        leaseLost = false;
        return ranOut;
    }

    /** Begins a heartbeat: an extension of the lease is on its way to SQS. Returns {@code false} if another one is. */
    public boolean beginHeartbeat() {
        boolean begins = !heartbeat;
        heartbeat = true;
        return begins;
    }

    /** The heartbeat, or an extension that the handler asked for, is over, whether SQS accepted it or not. */
    public void endHeartbeat() {
        heartbeat = false;
    }

    /** Returns the longest visibility timeout that SQS accepts for the message at this moment. */
    public Duration longestVisibility(long now) {
        Duration longest = LONGEST_VISIBILITY.minusNanos(now - receivedAt);
        return longest.isNegative() ? Duration.ZERO : longest;
    }

    /** SQS accepted an extension: the lease lasts until the given time. */
    public void extended(long until) {
        if (until - leaseUntil > 0) {
            leaseUntil = until;
        }
        if (until - leaseAtLeastUntil > 0) {
            leaseAtLeastUntil = until;
        }
    }

    /** Returns whether nobody has claimed the message yet. */
    public boolean unsettled() {
        return claim.get() == null;
    }

    /**
     * Claims the message, to settle it. One claim of all that are tried succeeds.
     *
     * @return whether the caller settles the message; {@code false} if others do or did
     */
    public boolean claim() {
        return claimAs(CLAIMED);
    }

    /**
     * Claims the message for a manual settlement.
     *
     * @param settled completes when SQS has accepted the settlement; {@link #manualSettlement} returns it from now on
     * @return whether the caller settles the message
     */
    public boolean claim(CompletableFuture<Void> settled) {
        return claimAs(settled);
    }

    private boolean claimAs(Object by) {
        if (!claim.compareAndSet(null, by)) {
            return false;
        }
        settlements.increment();
        return true;
    }

    /** Returns the future of the manual settlement that claimed the message, or {@code null} if none did. */
    @SuppressWarnings("unchecked") // nothing but CLAIMED and such futures claims
    public @Nullable CompletableFuture<Void> manualSettlement() {
        return claim.get() instanceof CompletableFuture<?> settled ? (CompletableFuture<Void>) settled : null;
    }

    /** Returns whether only the handler, or the end of its lease, settles it. */
    public boolean awaitsManualSettlement() {
        return settlement instanceof Settlement.Manual;
    }

    /** Returns whether the lease was lost while only the handler could settle the message, even if a second receive brought a new one. */
    public boolean lostUnacknowledged() {
        return manualLost;
    }

    /** A dead-letter queue has accepted the message: what is deleted now lives on there. */
    public void deadLettered() {
        deadLettered = true;
    }

    /** Returns whether a dead-letter queue has accepted the message. */
    public boolean isDeadLettered() {
        return deadLettered;
    }

    /** Returns which attempt at handling the message this is: its receive count, and the attempts here since. */
    public int attempts() {
        return Math.max(1, receiveCount()) + attemptsHere;
    }

    /** Returns the message's receive count. */
    public int receiveCount() {
        return message.receiveCount();
    }

    /** The message is tried again here. Called by one thread at a time. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one settlement at a time
    public void countAttempt() {
        attemptsHere++;
        visibleFrom = null;
    }

    /**
     * The handler chose when the message becomes visible if it fails, in {@link
     * io.github.batchsqs.internal.support.TimeSource#nanos()}.
     */
    public void visibleFrom(long nanos) {
        visibleFrom = nanos;
    }

    /** Returns when the message becomes visible if it fails; {@code null} if the handler did not choose. */
    public @Nullable Long visibleFrom() {
        return visibleFrom;
    }

    /** The message begins an invocation: how an earlier one ended says nothing of this one. */
    public void begin() {
        failure = null;
        settlement = null;
    }

    /** The message failed in its invocation. */
    public void failed(Failure how) {
        failure = how;
    }

    /** Returns how the message failed in its last invocation, or {@code null} if it did not. */
    public @Nullable Failure failure() {
        return failure;
    }

    /** Returns whether the message failed in its last invocation and is to blame for that. */
    public boolean failedForSure() {
        Failure how = failure;
        return how != null && how.blamed();
    }

    /** Decides what becomes of the message when it is settled. */
    public void decide(Settlement decided) {
        settlement = decided;
    }

    /** Returns what becomes of the message when it is settled; {@code null} if that is not decided yet. */
    public @Nullable Settlement settlement() {
        return settlement;
    }

    /** Returns whether what is behind the message in its group may run. */
    public boolean passed() {
        return settlement instanceof Settlement.Delete || awaitsManualSettlement();
    }

    /**
     * A failure of a message.
     *
     * @param cause why, if known
     * @param blamed whether it is this message's for sure; {@code false} if it ran with others and the handler named none
     */
    public record Failure(@Nullable Throwable cause, boolean blamed) {}

    /**
     * Untracks the message: it is no longer in flight here. Called with the ledger's lock; perhaps twice, because SQS may accept a call
     * that was given up.
     *
     * @return whether it was tracked before
     */
    boolean untrack() {
        boolean tracked = !untracked;
        untracked = true;
        return tracked;
    }

    /** Returns whether the message is no longer in flight here. */
    public boolean untracked() {
        return untracked;
    }
}
