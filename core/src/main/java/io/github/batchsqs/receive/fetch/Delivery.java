/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.client.ReceivedMessage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A message that is held here: the message, its newest receipt handle, its lease, and the one decision of what becomes of
 * it. The small type that the stages share.
 *
 * <p>Safe for use by any thread. {@link #settle} is granted once; a heartbeat ({@link #tryExtend}) and a settlement never
 * overlap: a settlement that is decided during a heartbeat starts when the heartbeat is over.
 */
public final class Delivery {

    private final ReceivedMessage message;
    private final @Nullable String lane;
    private final long receivedAt;
    private final LongAdder settlements;
    /** A {@link Phase} or a {@link SettleAfterHeartbeat}. */
    private final AtomicReference<Object> phase = new AtomicReference<>(Phase.HELD);

    private final AtomicBoolean left = new AtomicBoolean();
    private volatile String receiptHandle;
    private volatile long leaseUntil;
    private volatile boolean leaseLost;
    private volatile boolean everLost;
    private volatile boolean byHand;
    private volatile @Nullable Runnable onGone;
    private volatile @Nullable CompletableFuture<Void> handPromise;

    /**
     * Made by the {@link InFlightLedger}.
     *
     * @param lane the message group on a FIFO queue; {@code null} on a standard queue, whatever its group id
     * @param settlements counts the settlements that were granted
     */
    Delivery(ReceivedMessage message, @Nullable String lane, long receivedAt, long leaseUntil, LongAdder settlements) {
        this.message = message;
        this.lane = lane;
        this.receivedAt = receivedAt;
        this.receiptHandle = message.receiptHandle();
        this.leaseUntil = leaseUntil;
        this.settlements = settlements;
    }

    /** The message as it was first received here. */
    public ReceivedMessage message() {
        return message;
    }

    /** The ordered lane that the message belongs to, or {@code null} if it has none. */
    public @Nullable String lane() {
        return lane;
    }

    /** When it was received, in {@link io.github.batchsqs.TimeSource#nanos()}. */
    public long receivedAt() {
        return receivedAt;
    }

    /** The newest receipt handle. */
    public String receiptHandle() {
        return receiptHandle;
    }

    /** When the message becomes visible to others unless it is extended, in {@link io.github.batchsqs.TimeSource#nanos()}. */
    public long leaseUntil() {
        return leaseUntil;
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
        return news;
    }

    /** Whether the lease was lost at any time, even if a second receive brought a new one. */
    public boolean everLost() {
        return everLost;
    }

    /**
     * A second receive of the message: its handle is the newest, and its lease a new one.
     *
     * @return whether the old lease had run out unnoticed
     */
    boolean refresh(String newestHandle, long newLeaseUntil, long now) {
        boolean ranOut = leaseLost(now) && loseLease();
        receiptHandle = newestHandle;
        leaseUntil = newLeaseUntil;
        leaseLost = false;
        return ranOut;
    }

    /** Begins a heartbeat; {@code false} if the message is being settled or another heartbeat is under way. */
    public boolean tryExtend() {
        return phase.compareAndSet(Phase.HELD, Phase.EXTENDING);
    }

    /** SQS accepted an extension: the lease lasts until the given time. */
    public void extended(long until) {
        if (until - leaseUntil > 0) {
            leaseUntil = until;
        }
    }

    /** The heartbeat is over, accepted or not; called once for each that was begun. */
    public void endHeartbeat() {
        if (!phase.compareAndSet(Phase.EXTENDING, Phase.HELD)
                && phase.getAndSet(Phase.SETTLED) instanceof SettleAfterHeartbeat next) {
            next.settlement().run();
        }
    }

    /** Whether nobody has settled the message yet. */
    public boolean unsettled() {
        Object now = phase.get();
        return now == Phase.HELD || now == Phase.EXTENDING;
    }

    /**
     * Asks for the right to settle the message, which is granted once.
     *
     * @param afterHeartbeat run when a heartbeat that is under way is over
     * @return what the caller does: settle now, wait for {@code afterHeartbeat}, or nothing because others settled it
     */
    public Grant settle(Runnable afterHeartbeat) {
        while (true) {
            Object now = phase.get();
            if (now == Phase.HELD) {
                if (phase.compareAndSet(now, Phase.SETTLED)) {
                    settlements.increment();
                    return Grant.NOW;
                }
            } else if (now == Phase.EXTENDING) {
                if (phase.compareAndSet(now, new SettleAfterHeartbeat(afterHeartbeat))) {
                    settlements.increment();
                    return Grant.LATER;
                }
            } else {
                return Grant.TAKEN;
            }
        }
    }

    /** Its invocation is over, and the handler settles it by hand some time. */
    public void leaveToHand() {
        byHand = true;
    }

    /** Whether only the handler's word, or the end of its lease, settles it. */
    public boolean leftToHand() {
        return byHand;
    }

    /** It was settled by hand, and this promise says when SQS has accepted that. */
    public void settledByHand(CompletableFuture<Void> promise) {
        handPromise = promise;
    }

    /** The promise of the settlement by hand, or {@code null} if it was not settled by hand. */
    public @Nullable CompletableFuture<Void> handPromise() {
        return handPromise;
    }

    /** What runs when the message has left this process; set before it is invoked. */
    public void onGone(Runnable callback) {
        onGone = callback;
    }

    /**
     * The message leaves this process. A call that was given up may still be accepted, so this may be said twice.
     *
     * @return whether it was said for the first time
     */
    boolean leaves() {
        return left.compareAndSet(false, true);
    }

    /** The message has left this process: called once, by the ledger. */
    void gone() {
        Runnable callback = onGone;
        if (callback != null) {
            callback.run();
        }
    }

    /** The answer to {@link #settle}. */
    public enum Grant {
        NOW,
        LATER,
        TAKEN
    }

    private enum Phase {
        HELD,
        EXTENDING,
        SETTLED
    }

    private record SettleAfterHeartbeat(Runnable settlement) {}
}
