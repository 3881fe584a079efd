/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.internal.sdk.NotSentException;
import io.github.batchsqs.internal.support.Check;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a call is over: at its end, by an abort, or at its deadline, which closes what it has opened.
 *
 * <p>Any thread may use {@link #abort} and {@link #endIfLate}; the other methods belong to the call's thread.
 */
final class CallDeadline {

    /** Bytes on a slow line extend the deadline, so that drops of them do not. */
    private static final int SLOWEST = 64 << 10;

    private static final long MOST_EXTENSION = TimeUnit.MINUTES.toNanos(2);

    private static final String ABORT = "The call was aborted";

    private static final AtomicReferenceFieldUpdater<CallDeadline, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(CallDeadline.class, State.class, "state");

    private enum State {
        GOING_ON,
        ENDED,
        ABORTED,
        LATE
    }

    /** How long the call may last, in nanoseconds. */
    private final long limit;

    private final Runnable wake;
    private volatile State state = State.GOING_ON;
    private volatile long began = System.nanoTime();
    private volatile @Nullable SocketChannel channel;
    private volatile long extension;
    private boolean sending;
    private int unextended;

    /**
     * Creates a deadline that begins now.
     *
     * @param limit how long the call may last
     * @param wake ends the call's wait for a connection
     */
    CallDeadline(Duration limit, Runnable wake) {
        this.limit = limit.toNanos();
        this.wake = wake;
    }

    /** The call begins now, unless it was aborted. */
    void begin() throws IOException {
        began = System.nanoTime();
        requireNotAborted();
    }

    /** It sends so many bytes from here on. */
    void sends(long bytes) {
        extension = bytes / SLOWEST * TimeUnit.SECONDS.toNanos(1);
        sending = true;
    }

    /** So many bytes of the response have come. */
    void received(int bytes) {
        unextended += bytes;
        if (unextended >= SLOWEST) {
            extension = Math.min(MOST_EXTENSION, extension + unextended / SLOWEST * TimeUnit.SECONDS.toNanos(1));
            unextended %= SLOWEST;
        }
    }

    /** Takes a channel over: an abort closes it from now on. */
    void uses(SocketChannel used) throws IOException {
        channel = used;
        if (state != State.GOING_ON) {
            HttpConnection.close(used);
            throw aborted();
        }
    }

    /** Throws the failure if the call is over, so that nothing else is tried. */
    void requireGoingOn(IOException failure) throws IOException {
        if (state != State.GOING_ON || Thread.currentThread().isInterrupted()) {
            throw failure;
        }
    }

    void requireNotAborted() throws InterruptedIOException {
        if (state == State.ABORTED) {
            throw aborted();
        }
    }

    private static NotSentException aborted() {
        return new NotSentException(ABORT, null);
    }

    /** Returns when the call began, in nanoseconds. */
    long began() {
        return began;
    }

    /** Returns for how long the call has gone on. */
    Duration lasted() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /** Returns the time until the deadline, at least a nanosecond. */
    long nanosLeft() {
        return Math.max(1, limit + extension - (System.nanoTime() - began));
    }

    /** Ends the call; returns whether it was going on. Its channel stays open. */
    boolean end() {
        boolean ended = STATE.compareAndSet(this, State.GOING_ON, State.ENDED);
        if (ended) {
            channel = null;
        }
        return ended;
    }

    /** Ends the call, and closes its channel. */
    void endAndClose() {
        SocketChannel open = channel;
        boolean unused = end();
        if (open != null) {
            HttpConnection.close(open);
        }
    }

    void abort() {
        end(State.ABORTED);
    }

    /** Ends the call if its deadline has passed. */
    void endIfLate(long now) {
        if (now - began - extension >= limit) {
            end(State.LATE);
        }
    }

    private void end(State as) {
        if (STATE.compareAndSet(this, State.GOING_ON, as)) {
            SocketChannel open = channel;
            if (open != null) {
                HttpConnection.close(open);
            } else {
                wake.run();
            }
        }
    }

    /** Returns what a failure is: the timeout, if the call was late, or the abort; and {@link NotSentException} before the request. */
    IOException failure(IOException failure) {
        State ended = state;
        if (failure instanceof NotSentException || (sending && (ended == State.GOING_ON || ended == State.ENDED))) {
            return failure; // it says why
        }
        String lasted = Check.text(Duration.ofMillis(lasted().toMillis()));
        String why = switch (ended) {
            case GOING_ON, ENDED -> String.valueOf(failure.getMessage());
            case ABORTED -> ABORT;
            case LATE ->
                (sending ? "The response was not complete after " : "There was no connection within ") + lasted;
        };
        if (!sending) {
            return new NotSentException(why, failure);
        }
        var named = ended == State.LATE ? new SocketTimeoutException(why) : new InterruptedIOException(why);
        named.initCause(failure);
        return named;
    }
}
