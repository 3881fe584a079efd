/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.listener.ReceiveWait;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * One poller: its thread, what it does right now, and the permits of its open receive. Belongs to the {@link Valve}'s lock,
 * apart from its attempt id and the counts of its failures and early responses, which are its own thread's.
 *
 * <p>Only a poller that asks the gates or whose receive is open is ever interrupted, because what it calls while it hands
 * messages over, a handler perhaps, is none of a halt's business.
 */
final class Poller {

    /** What gates permit that limit nothing. */
    static final int UNBOUNDED = Integer.MAX_VALUE;

    /** How long a poller that finds a few permits waits for more. */
    private static final long PATIENCE = Duration.ofMillis(100).toNanos();

    /**
     * A receive that has been open for this long waits on an empty queue. One that brings messages takes less, also if
     * it was retried after a throttle or brings large ones; an idle poll of 20 s is nine times in ten older.
     */
    private static final long IDLE_NANOS = Duration.ofSeconds(2).toNanos();

    /** A permission of the gates that is older is asked for again: the poller has waited for something else. */
    private static final long PERMISSION_NANOS = Duration.ofSeconds(1).toNanos();

    /**
     * No longer than this, unless the response asks for it, so that the end of an outage, or of throttling, is noticed
     * within three seconds.
     */
    private static final Backoff AFTER_ERRORS = Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(2));

    /** An empty response this early may be chance, once: another consumer took the message. */
    private static final Duration AFTER_EARLY_RESPONSE = Duration.ofMillis(100);

    /** So that messages are received soon when the trouble is over, or if the server has no long polling. */
    static final Duration LONGEST_EARLY_PAUSE = Duration.ofSeconds(2);

    /** SQS accepts an attempt id again for five minutes. */
    private static final Duration ATTEMPT_ID_LASTS = Duration.ofMinutes(4);

    private final ListenerQueue source;
    private final Condition turn;
    private @Nullable Thread thread;
    private volatile boolean halted;
    private boolean asking;
    /** Its receive, from its begin until its permits are taken. */
    private @Nullable OpenReceive open;

    private @Nullable Closed waitsFor;
    private long waitsSince;
    private long waitsUntil;
    private long patience = PATIENCE;

    /** What the gates have let it receive, and when. */
    private int permitted = UNBOUNDED;

    private long permittedAt;
    private boolean hasPermission;

    private int failures;
    private int earlyResponses;
    private boolean backsOff;
    private long resumesAt;
    private @Nullable String attemptId;
    private long attemptIdUntil;
    /** Whether the last receive with the id got a response, which was a failure. */
    private boolean refused;

    /** @param turn on which it waits with the valve's lock */
    Poller(ListenerQueue source, Condition turn) {
        this.source = source;
        this.turn = turn;
        this.resumesAt = source.time().nanos();
    }

    void runsOn(Thread current) {
        thread = current;
    }

    boolean isVirtual() {
        Thread current = thread;
        return current != null && current.isVirtual();
    }

    /** Waits for what keeps it from receiving, or until it is woken. */
    @SuppressWarnings("WaitNotInLoop") // the loop is the valve's
    void await(Closed closed, long now) throws InterruptedException {
        waitsSince = waitsFor == null ? now : waitsSince;
        waitsFor = closed;
        waitsUntil = closed.nanos() == Closed.UNTIL_CHANGED ? now : now + closed.nanos();
        if (closed.nanos() == Closed.UNTIL_CHANGED) {
            turn.await();
        } else {
            long left = turn.awaitNanos(closed.nanos());
            patience = closed.forRoom() ? left : patience;
        }
    }

    /** Has it look again whether it may receive, or is still needed. */
    void wake() {
        turn.signal();
    }

    /** Returns what keeps it from receiving; {@code null} if it does not wait. */
    @Nullable
    Closed waitsFor() {
        return waitsFor;
    }

    boolean waitsForPermits() {
        return waitsFor != null && waitsFor.forRoom();
    }

    boolean waitsForGate() {
        return waitsFor != null && waitsFor.reason().equals(ReceiveWait.GATE);
    }

    long waitsSince() {
        return waitsSince;
    }

    /** Returns what keeps it from receiving, as the status shows it. */
    ReceiveWait waiting(Closed closed, long now) {
        return new ReceiveWait(
                closed.reason(),
                closed.detail(),
                Duration.ofNanos(now - waitsSince),
                Duration.ofNanos(Math.max(0, waitsUntil - now)),
                Duration.ZERO);
    }

    /** Returns how long it still waits if it finds fewer permits than it wants. */
    long patience() {
        return patience;
    }

    /** It asks the gates from here on. */
    void asksGates() {
        waitsFor = null;
        asking = true;
    }

    /** Returns whether it asks the gates. */
    boolean asking() {
        return asking;
    }

    /** The gates let it receive so many messages, for a moment from now. */
    void permitted(int messages, long now) {
        permitted = messages;
        permittedAt = now;
        hasPermission = true;
    }

    int permitted() {
        return permitted;
    }

    /** Returns whether what the gates have said still holds. */
    boolean isPermitted(long now) {
        return hasPermission && now - permittedAt <= PERMISSION_NANOS;
    }

    /** Returns whether a gate has limited its receive, also to more than it can bring. */
    boolean bounded() {
        return permitted != UNBOUNDED;
    }

    /** Its receive, for which it holds permits, is open from here on. */
    void receives(OpenReceive receive) {
        waitsFor = null;
        open = receive;
        hasPermission = false;
        patience = PATIENCE;
    }

    /** Returns its open receive, or {@code null} if none is open. */
    @Nullable
    OpenReceive open() {
        return open;
    }

    /** Returns whether it waits for messages that probably do not come soon. */
    boolean isIdle(long now) {
        return open != null && now - open.calledAt() >= IDLE_NANOS;
    }

    /** Returns whether its open receive probably gets no response any more. */
    boolean late(long now, boolean steady) {
        return open != null && open.isLate(now, steady);
    }

    /** It neither waits nor receives any more. An interrupt was meant for that, or is a gate's own. */
    void works() {
        waitsFor = null;
        if (asking || halted) {
            boolean ignored = Thread.interrupted();
        }
        asking = false;
    }

    /** It is to end: it begins no further receive. */
    void halt() {
        halted = true;
        if (asking) {
            interrupt();
        }
        wake();
    }

    boolean halted() {
        return halted;
    }

    /** Aborts its receive if one is open. */
    void abortReceive() {
        if (open != null) {
            interrupt();
        }
    }

    /** Returns the permits of its receive, which are the caller's now; 0 if another caller has them. */
    int takePermits() {
        int taken = open == null ? 0 : open.asked();
        open = null;
        return taken;
    }

    /** A poller without a thread yet sees that it is halted before it does anything. */
    private void interrupt() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    // ---- what it remembers from receive to receive: its pause, and the attempt id of a receive that is to be repeated

    /**
     * Fresh for each logical receive, the same for its retries, so that SQS gives a retry the same messages. One that SQS refuses twice is
     * given up: another consumer may have deleted its messages.
     */
    @Nullable
    String attemptId(long now) {
        if (!source.queue().fifo()) {
            return null;
        }
        if (attemptId == null || attemptIdUntil - now <= 0) {
            attemptId = UUID.randomUUID().toString();
            attemptIdUntil = now + ATTEMPT_ID_LASTS.toNanos();
        }
        return attemptId;
    }

    /** A receive succeeded, after so many nanoseconds. */
    void succeeded(OpenReceive receive, int messages, long took, long now) {
        attemptId = null;
        backsOff = false;
        Duration waitTime = receive.waitTime();
        earlyResponses = messages == 0 && took < waitTime.toNanos() / 2 ? earlyResponses + 1 : 0;
        long pause = messages < receive.asked()
                ? source.options().pollers().minInterval().toNanos()
                : 0;
        if (earlyResponses > 0) {
            pause = Math.max(
                    pause,
                    earlyPause(waitTime).delay(earlyResponses, source.random()).toNanos());
        }
        resumesAt = now + pause;
    }

    /** Returns how many receives in a row were empty before half of their wait time, up to the last one. */
    int earlyResponses() {
        return earlyResponses;
    }

    private static Backoff earlyPause(Duration waitTime) {
        Duration longest = waitTime.compareTo(LONGEST_EARLY_PAUSE) < 0 ? waitTime : LONGEST_EARLY_PAUSE;
        return new Backoff(AFTER_EARLY_RESPONSE, 2, longest, false);
    }

    /** All that it brought has been handed over. */
    void handedOver() {
        failures = 0;
    }

    /** A receive, or what came after it, failed. Returns how long the poller pauses. */
    Duration failed(Throwable e, long now) {
        boolean response = e instanceof QueueCallException call && !SqsErrors.isSilence(call.code());
        if (!(e instanceof BatchSqsException known && known.retryable()) || (response && refused)) {
            attemptId = null;
        }
        refused = response && attemptId != null;
        failures++;
        Duration delay = AFTER_ERRORS.delay(failures, source.random());
        if (e instanceof QueueCallException call && call.retryAfter().compareTo(delay) > 0) {
            delay = call.retryAfter();
        }
        backsOff = true;
        resumesAt = now + delay.toNanos();
        return delay;
    }

    /** Returns how many receives in a row have failed, or what came after them. */
    int failures() {
        return failures;
    }

    /** Returns why the poller must not receive yet; {@code null} if it may. */
    @Nullable
    Closed pauses(long now) {
        long left = pauseNanos(now);
        if (left <= 0) {
            return null;
        }
        return backsOff
                ? new Closed("backoff", "the last receive failed", left)
                : new Closed("pause", "pollers.min-interval, or a response that was empty too early", left);
    }

    /** How long to wait before the next receive. */
    long pauseNanos(long now) {
        return Math.max(0, resumesAt - now);
    }

    @Override
    public String toString() {
        return thread == null ? "not started" : thread.getName();
    }
}
