/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A thread of {@link VirtualTime}. Whatever it waits for, it waits in {@link #block}. */
final class Strand {

    /** How many waits end with an interrupt once time is over, before they end with an error. */
    private static final int INTERRUPTS_AT_THE_END = 3;

    /** How many waits end with an error, before the thread is left alone. */
    private static final int ERRORS_AT_THE_END = 200;

    static final long NEVER = Long.MAX_VALUE;

    final VirtualTime time;
    final VirtualTime.Host host;
    final Thread thread;
    final boolean needsCarrier;

    boolean begun;
    boolean over;
    boolean interruptPending;
    /** It has a carrier already. */
    boolean keepsCarrier;
    /** That of {@link java.util.concurrent.locks.LockSupport}. */
    boolean permit;

    /** How many it holds. */
    int engineLocks;

    final List<Wait> joiners = new ArrayList<>();

    /** That of a parked strand. */
    @Nullable
    Wait parked;

    /** What {@link VirtualTime#pause} waits for. */
    @Nullable
    Wait paused;

    private @Nullable Wait waits;
    private boolean wokenByInterrupt;
    private int waitsAtTheEnd;

    /** Time is over, and so is this thread. */
    static final class Ended extends Error {
        private static final long serialVersionUID = 1;

        Ended() {
            super("virtual time is over", null, false, false);
        }
    }

    /** One wait of a strand, which happens once. */
    final class Wait {

        private final boolean interruptible;

        private Wait(boolean interruptible) {
            this.interruptible = interruptible;
        }

        /** Ends the wait, if it goes on. Returns whether it did. */
        boolean end() {
            if (waits != this || host.killed()) {
                return false;
            }
            waits = null;
            time.ready(Strand.this);
            return true;
        }
    }

    /** Creates a strand, which is a virtual thread in any case: control passes between platform threads slowly. */
    Strand(VirtualTime time, VirtualTime.Host host, boolean needsCarrier, String name, Runnable task) {
        this.time = time;
        this.host = host;
        this.needsCarrier = needsCarrier;
        this.thread = Thread.ofVirtual().name(name).unstarted(() -> run(task));
    }

    /** Returns the strand that calls this, or {@code null} if it is another thread. */
    @SuppressWarnings("ReferenceEquality") // a thread is itself
    static @Nullable Strand current() {
        Strand strand = VirtualTime.running();
        return strand != null && strand.thread == Thread.currentThread() ? strand : null;
    }

    private void run(Runnable task) {
        try {
            if (!time.isEnding()) {
                task.run();
            }
        } catch (Ended e) {
            // as intended
        } catch (Throwable e) { // the run fails with it
            time.uncaught(this, e);
        } finally {
            over = true;
            joiners.forEach(Wait::end);
            time.ended(this);
        }
    }

    /** Announces a wait. It begins with {@link #block}, before which nobody else runs. */
    Wait wait(boolean interruptible) {
        Wait wait = new Wait(interruptible);
        waits = wait;
        return wait;
    }

    /**
     * Lets others run until the wait is ended, the deadline has come, or the strand is interrupted if the wait is interruptible.
     *
     * @param deadline in nanoseconds of virtual time, or {@link #NEVER}
     */
    void block(Wait wait, long deadline) throws InterruptedException {
        boolean before = Thread.interrupted();
        if (before && wait.interruptible && waits == wait) {
            waits = null;
            throw new InterruptedException("Interrupted before it waited");
        }
        atTheEnd(wait);
        VirtualTime.Event timer = deadline == NEVER ? null : time.at(deadline, wait::end);
        time.passOn(this);
        if (timer != null) {
            timer.cancel();
        }
        waits = null;
        boolean woken = wokenByInterrupt;
        wokenByInterrupt = false;
        boolean pending = interruptPending || before;
        interruptPending = false;
        atTheEnd(wait);
        if (woken) {
            throw new InterruptedException("Interrupted in virtual time");
        }
        if (pending) {
            thread.interrupt(); // itself
        }
    }

    /** The same for a wait that ignores interrupts. */
    void blockUninterruptibly(Wait wait, long deadline) {
        try {
            block(wait, deadline);
        } catch (InterruptedException e) {
            throw new IllegalStateException("This wait cannot be interrupted", e);
        }
    }

    /** Waits as a thread does that computes: it keeps its carrier. */
    void onCarrier(Wait wait, long deadline) {
        int carriers = needsCarrier ? 1 : 0;
        keepsCarrier = true;
        host.busy += carriers;
        try {
            blockUninterruptibly(wait, deadline);
        } finally {
            host.busy -= carriers;
            keepsCarrier = false;
        }
    }

    /** Others run now, if the seed wants it; those that need a carrier, on another one. */
    void letOthersRun() {
        Wait wait = wait(false);
        boolean unused = wait.end();
        onCarrier(wait, NEVER);
    }

    private void atTheEnd(Wait wait) throws InterruptedException {
        if (!time.isEnding()) {
            return;
        }
        waits = null;
        waitsAtTheEnd++;
        if (wait.interruptible && waitsAtTheEnd <= INTERRUPTS_AT_THE_END) {
            throw new InterruptedException("Virtual time is over");
        }
        if (waitsAtTheEnd > ERRORS_AT_THE_END) {
            time.leaveForEver(this);
        }
        throw new Ended();
    }

    /** Called on another strand, or by an event. */
    void interrupt() {
        Wait current = waits;
        if (current != null && current.interruptible) {
            wokenByInterrupt = current.end();
        } else {
            interruptPending = true;
        }
    }
}
