/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Threads of which exactly one runs at a time, and only when the simulation says so: what would overlap at the whim of a
 * scheduler overlaps at the choice of a seed. A strand runs until its task ends or until it calls {@link #pause}.
 *
 * <p>All strands, and the simulation itself, should be virtual threads: handing over is cheap then.
 */
final class Strands {

    private final Thread simulation = Thread.currentThread();
    private final List<Strand> strands = new ArrayList<>();
    private volatile @Nullable Strand running;
    private long started;

    /** A task that is under way. */
    final class Strand {

        final Owner owner;
        final String role;
        private final Thread thread;
        private BooleanSupplier ready = Strands::atAnyTime;
        private boolean over;
        private boolean begun;
        private @Nullable Throwable failure;

        private Strand(Owner owner, String role, Runnable task) {
            this.owner = owner;
            this.role = role;
            this.thread = Thread.ofVirtual().name(role + "-" + ++started).unstarted(() -> {
                try {
                    task.run();
                } catch (Crash e) {
                    assert owner.crashed;
                } catch (Throwable e) {
                    failure = e;
                } finally {
                    over = true;
                    running = null;
                    LockSupport.unpark(simulation);
                }
            });
        }
    }

    /** Whom a strand belongs to. */
    static class Owner {
        boolean crashed;
    }

    /** Ends the strands of a process that crashed. */
    static final class Crash extends Error {
        Crash() {
            super("the process crashed", null, false, false);
        }
    }

    /** Makes a strand; it runs when it is resumed. */
    void add(Owner owner, String role, Runnable task) {
        strands.add(new Strand(owner, role, task));
    }

    /** The strand that calls this, or {@code null} if it is the simulation. */
    @Nullable
    Strand current() {
        return running;
    }

    private static boolean atAnyTime() {
        return true;
    }

    /** Those that would go on if they were resumed. */
    List<Strand> ready() {
        List<Strand> ready = new ArrayList<>(strands.size());
        for (Strand strand : strands) {
            if (strand.ready.getAsBoolean()) {
                ready.add(strand);
            }
        }
        return ready;
    }

    /** How many are under way. */
    long count(Predicate<Strand> which) {
        return strands.stream().filter(which).count();
    }

    /** Lets a strand run up to its next pause or its end; rethrows what it failed with. */
    void resume(Strand strand) {
        running = strand;
        if (strand.begun) {
            LockSupport.unpark(strand.thread);
        } else {
            strand.begun = true;
            strand.thread.start();
        }
        while (running != null) {
            LockSupport.park(this);
        }
        if (strand.over) {
            strands.remove(strand);
        }
        if (strand.failure != null) {
            throw new AssertionError("The task " + strand.thread.getName() + " failed", strand.failure);
        }
    }

    /** Called on a strand: others may run now. */
    void pause() {
        pauseUntil(Strands::atAnyTime);
    }

    /** Called on a strand: others may run now; it goes on at some time when the condition holds. */
    void pauseUntil(BooleanSupplier ready) {
        Strand me = running;
        if (me == null) {
            throw new IllegalStateException("Only a strand can pause");
        }
        if (me.owner.crashed) {
            throw new Crash();
        }
        me.ready = ready;
        running = null;
        LockSupport.unpark(simulation);
        boolean interrupted = false;
        while (running != me) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        me.ready = Strands::atAnyTime;
        if (interrupted) {
            me.thread.interrupt();
        }
        if (me.owner.crashed) {
            throw new Crash();
        }
    }

    /** Ends all strands of a process as a crash does: none of them does anything any more. */
    void crash(Owner owner) {
        owner.crashed = true;
        for (Strand strand : List.copyOf(strands)) {
            if (strand.owner.equals(owner)) {
                if (strand.begun) {
                    resume(strand);
                    if (!strand.over) {
                        throw new AssertionError(strand.thread.getName() + " goes on although its process crashed");
                    }
                }
                strands.remove(strand);
            }
        }
    }
}
