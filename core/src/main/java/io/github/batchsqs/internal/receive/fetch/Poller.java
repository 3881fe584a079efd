/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.listener.ReceiveWait;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * One poller: its thread, what it does right now, and the permits of its open receive. Belongs to the {@link Valve}'s lock,
 * apart from its memory, whose attempt id is its own thread's.
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

    final PollerMemory memory;
    private final Condition turn;
    private @Nullable Thread thread;
    private Phase phase = Phase.WORKS;
    private volatile boolean halted;
    private boolean abandoned;
    private int permits;
    private @Nullable OpenReceive open;
    private @Nullable Closed waitsFor;
    private long waitsSince;
    private long waitsUntil;
    private long patience = PATIENCE;

    /** What the gates have let it receive, and when. */
    private int permitted = UNBOUNDED;

    private long permittedAt;
    private boolean hasPermission;

    private enum Phase {
        WORKS,
        WAITS,
        ASKS_GATES,
        RECEIVES
    }

    /** @param turn on which it waits with the valve's lock */
    Poller(PollerMemory memory, Condition turn) {
        this.memory = memory;
        this.turn = turn;
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
        if (phase != Phase.WAITS) {
            phase = Phase.WAITS;
            waitsSince = now;
        }
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
        return phase == Phase.WAITS ? waitsFor : null;
    }

    boolean waitsForPermits() {
        return waitsFor() != null && waitsFor().forRoom();
    }

    boolean waitsForGate() {
        return waitsFor() != null && waitsFor().reason().equals(ReceiveWait.GATE);
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
        phase = Phase.ASKS_GATES;
    }

    /** Returns whether it asks the gates. */
    boolean asking() {
        return phase == Phase.ASKS_GATES;
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
    void receives(int withPermits, OpenReceive receive) {
        phase = Phase.RECEIVES;
        permits = withPermits;
        open = receive;
        hasPermission = false;
        patience = PATIENCE;
    }

    /** Returns its open receive, or {@code null} if none is open. */
    @Nullable
    OpenReceive open() {
        return phase == Phase.RECEIVES ? open : null;
    }

    /** Returns whether it waits for messages that probably do not come soon. */
    boolean isIdle(long now) {
        OpenReceive receive = open();
        return receive != null && now - receive.calledAt() >= IDLE_NANOS;
    }

    /** Returns whether its open receive probably gets no response any more. */
    boolean late(long now, boolean steady) {
        OpenReceive receive = open();
        return receive != null && receive.isLate(now, steady);
    }

    /** It neither waits nor receives any more. An interrupt was meant for that, or is a gate's own. */
    void works() {
        boolean interrupted = phase == Phase.ASKS_GATES || halted;
        phase = Phase.WORKS;
        if (interrupted) {
            boolean ignored = Thread.interrupted();
        }
    }

    /** It is to end: it begins no further receive. */
    void halt() {
        halted = true;
        if (phase == Phase.ASKS_GATES) {
            interrupt();
        }
        wake();
    }

    boolean halted() {
        return halted;
    }

    /** Aborts its receive if one is open. */
    void abortReceive() {
        if (phase == Phase.RECEIVES) {
            interrupt();
        }
    }

    /** Nobody waits for its end any more. Returns the permits of its receive, which are the caller's now. */
    int abandon() {
        abandoned = true;
        return takePermits();
    }

    boolean abandoned() {
        return abandoned;
    }

    /** Returns the permits of its receive, once. */
    int takePermits() {
        int taken = permits;
        permits = 0;
        return taken;
    }

    /** A poller without a thread yet sees that it is halted before it does anything. */
    private void interrupt() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    @Override
    public String toString() {
        return thread == null ? "not started" : thread.getName();
    }
}
