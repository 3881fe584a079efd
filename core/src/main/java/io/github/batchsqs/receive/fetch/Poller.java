/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One poller: its thread, what it does right now, and the permits of its open receive. Belongs to the {@link Fetcher}'s lock,
 * apart from its memory, whose attempt id is its own thread's, and from what the gates have let it receive.
 *
 * <p>Only a poller that asks the gates, waits for permits or whose receive is open is ever interrupted, because what it calls while it hands
 * messages over, a handler perhaps, is none of a halt's business.
 */
final class Poller {

    /** A permission of the gates that is older is asked for again: the poller has waited for permits, or for the rate limit. */
    private static final long PERMISSION_NANOS = Duration.ofSeconds(1).toNanos();

    final PollerMemory memory;
    private @Nullable Thread thread;
    private Phase phase = Phase.WORKS;
    private volatile boolean halted;
    private boolean abandoned;
    private int permits;
    private ReceiveOutage.@Nullable OpenReceive open;
    private boolean overdue;

    /** What the gates have let it receive, and when; its own thread's. */
    private int permitted = Gates.UNBOUNDED;

    private long permittedAt;
    private boolean gated;
    private long wakes;

    private enum Phase {
        WORKS,
        ASKS_GATES,
        WAITS,
        RECEIVES
    }

    Poller(PollerMemory memory) {
        this.memory = memory;
    }

    void runsOn(Thread current) {
        thread = current;
    }

    /** It asks the gates from here on, or waits for them. */
    void asksGates() {
        phase = Phase.ASKS_GATES;
        if (halted) {
            interrupt();
        }
    }

    /** Returns whether it asks the gates or waits for them. */
    boolean asking() {
        return phase == Phase.ASKS_GATES;
    }

    /** It has asked the gates. An interrupt was meant for that, or is a gate's own. */
    void hasAskedGates() {
        phase = Phase.WORKS;
        boolean ignored = Thread.interrupted();
    }

    /** It looks whether it is still needed; a later {@link Gates#wake} has it look again. */
    void looks(long seenWakes) {
        wakes = seenWakes;
    }

    long wakes() {
        return wakes;
    }

    /** The gates let it receive so many messages, for a moment from now. */
    void permitted(int messages, long now) {
        permitted = messages;
        permittedAt = now;
        gated = true;
    }

    /** Returns whether what the gates have said still holds. */
    boolean isPermitted(long now) {
        return !gated || now - permittedAt <= PERMISSION_NANOS;
    }

    /** Returns whether a gate has limited its receive, also to more than it can bring. */
    boolean bounded() {
        return permitted != Gates.UNBOUNDED;
    }

    /** It waits for permits from here on. */
    void waits() throws InterruptedException {
        goesOn();
        phase = Phase.WAITS;
    }

    /** Returns whether it waits for permits, or, with them, for the rate limit. */
    boolean blocked() {
        return phase == Phase.WAITS;
    }

    /** Its receive, for which it holds permits, is open from here on. */
    void receives(int withPermits, ReceiveOutage.OpenReceive receive) throws InterruptedException {
        works();
        goesOn();
        phase = Phase.RECEIVES;
        permits = withPermits;
        open = receive;
        overdue = false;
    }

    /** Returns its open receive, or {@code null} if none is open. */
    ReceiveOutage.@Nullable OpenReceive open() {
        return phase == Phase.RECEIVES ? open : null;
    }

    /** Returns for how long its receive has been open; zero if none is open. */
    Duration openFor(long now) {
        ReceiveOutage.OpenReceive receive = open();
        return receive == null ? Duration.ZERO : Duration.ofNanos(now - receive.calledAt());
    }

    /** Returns for how long SQS has not responded if its open receive is overdue, else zero. */
    Duration overdueFor(ReceiveOutage outage, long now) {
        ReceiveOutage.OpenReceive receive = open();
        return receive == null || halted ? Duration.ZERO : outage.overdueFor(receive, now);
    }

    /** Its open receive is overdue. Returns whether this is news. */
    boolean becomesOverdue() {
        boolean news = !overdue;
        overdue = true;
        return news;
    }

    /** Returns whether its last receive was overdue at any time. */
    boolean wasOverdue() {
        return overdue;
    }

    /** It neither waits nor receives any more. */
    void works() {
        phase = Phase.WORKS;
        if (halted) {
            boolean ignored = Thread.interrupted(); // by the halt, which has reached it
        }
    }

    /** Fails if the poller is to end. */
    void goesOn() throws InterruptedException {
        if (halted) {
            throw new InterruptedException("The poller is to end");
        }
    }

    /** It is to end: it begins no further receive. */
    void halt() {
        halted = true;
        if (phase == Phase.WAITS || phase == Phase.ASKS_GATES) {
            interrupt();
        }
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
