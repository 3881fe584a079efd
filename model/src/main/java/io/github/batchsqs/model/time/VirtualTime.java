/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, and threads of which exactly one runs at any moment: the strands. A strand runs until it ends or waits, and whoever gives
 * up control selects what is next: a strand that is ready, else the next event. Time passes only from event to event. So a seed decides
 * everything, whatever the scheduler of the JVM does.
 *
 * <p>A strand is a virtual or a platform thread of a host. As in a JVM, a virtual thread needs one of the host's carriers to run, and one that
 * {@linkplain #compute computes} keeps its carrier. A host that is {@linkplain #kill killed} does nothing any more.
 *
 * <p>Code runs here without a change once {@link Rewriter} has redirected its waits, whatever it waits for.
 *
 * <p>Belongs to the thread that made it, which should be virtual: control passes between virtual threads faster.
 */
public final class VirtualTime {

    /** The wall-clock time at which virtual time begins. */
    public static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    /** How often strands may run without any time passing. */
    private static final int SPINS = 2_000_000;

    /** At the end strands may start others, so many times. */
    private static final int ROUNDS_AT_THE_END = 20;

    /** How long a strand may run by the clock of this machine before it counts as stuck. */
    private static final Duration STUCK = Duration.ofSeconds(30);

    /**
     * Who has control; {@code null} is the thread that made the time. There is one for all, because one time passes at a time. Its change
     * publishes everything else here to the next one.
     */
    private static volatile @Nullable Strand running;

    private final Thread main = Thread.currentThread();
    private final @Nullable RandomGenerator order;
    private final RandomGenerator random;
    private final Host itself = new Host("main", Integer.MAX_VALUE);
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final ArrayList<Strand> ready = new ArrayList<>();
    private final Set<Strand> strands = new LinkedHashSet<>();
    private final Map<Thread, Strand> byThread = new HashMap<>();

    private long now;
    private long horizon;
    private long sequence;
    private long steps;
    private int spins;
    private boolean stopped;
    private boolean ending;
    private @Nullable Throwable failure;

    /** Something that happens at a time. */
    public static final class Event implements Comparable<Event> {

        private final long at;
        private final long order;
        private @Nullable Runnable action;

        private Event(long at, long order, Runnable action) {
            this.at = at;
            this.order = order;
            this.action = action;
        }

        /** It will not happen. */
        public void cancel() {
            action = null;
        }

        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    /** What shares carriers, and dies at once. The threads that its threads make are its own. */
    public static final class Host {

        private final String name;
        private final int carriers;
        int busy;
        private boolean killed;

        private Host(String name, int carriers) {
            this.name = name;
            this.carriers = carriers;
        }

        /** {@return whether it does nothing any more} */
        public boolean killed() {
            return killed;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Creates a time whose strands run in the order in which they become ready, and whose random numbers are always the same. */
    public VirtualTime() {
        this(null, new java.util.SplittableRandom(0));
    }

    /**
     * Creates a time whose strands run in any order.
     *
     * @param random draws the next strand of those that are ready, and all random numbers that the strands draw
     */
    public VirtualTime(RandomGenerator random) {
        this(random, random);
    }

    private VirtualTime(@Nullable RandomGenerator order, RandomGenerator random) {
        this.order = order;
        this.random = random;
    }

    // ---- for the thread that made it

    /**
     * Lets time pass up to this moment, or until {@link #stop}. Rethrows what a strand or an event threw.
     *
     * @param nanos the moment, in nanoseconds since the beginning
     */
    public void runUntil(long nanos) {
        horizon = nanos;
        if (!stopped) {
            passTo(next());
            awaitControl(null);
            now = stopped ? now : Math.max(now, nanos);
        }
        stopped = false;
        if (failure != null) {
            throw new IllegalStateException("A strand failed in virtual time", failure);
        }
    }

    /** Ends {@link #runUntil}, or the next one, as soon as the strand or the event that calls this is over or waits. */
    public void stop() {
        stopped = true;
    }

    /** Ends all strands: each of their waits fails. */
    public void end() {
        ending = true;
        failure = null;
        stopped = false;
        events.clear();
        for (int round = 0; round < ROUNDS_AT_THE_END && !strands.isEmpty(); round++) {
            for (Strand strand : List.copyOf(strands)) {
                passTo(strand);
                awaitControl(null);
            }
        }
        if (!strands.isEmpty()) {
            throw new IllegalStateException("Strands go on although virtual time is over:\n" + dump());
        }
    }

    /**
     * Schedules an action, which must not wait.
     *
     * @param nanos when, in nanoseconds since the beginning
     * @param action what happens then
     * @return the event, which can be cancelled
     */
    public Event at(long nanos, Runnable action) {
        Event event = new Event(Math.max(now, nanos), sequence++, action);
        events.add(event);
        return event;
    }

    /**
     * Makes a host.
     *
     * @param name its name in failures
     * @param carriers how many of its virtual threads can run at once
     * @return the host
     */
    public Host host(String name, int carriers) {
        return new Host(name, carriers);
    }

    /**
     * Ends a host as a crash does: none of its threads runs again.
     *
     * @param host the host
     */
    public void kill(Host host) {
        host.killed = true;
        ready.removeIf(strand -> strand.host.equals(host));
    }

    /** {@return how often control has passed to a strand} */
    public long steps() {
        return steps;
    }

    /** {@return the stacks of all strands, for the report of a failure} */
    public String dump() {
        StringBuilder text = new StringBuilder();
        for (Strand strand : strands) {
            text.append(strand.host).append(": ").append(strand.thread.getName());
            for (StackTraceElement element : strand.thread.getStackTrace()) {
                if (!element.getClassName().startsWith("java.")
                        && !element.getClassName().startsWith("jdk.")) {
                    text.append("\n    ").append(element);
                }
            }
            text.append('\n');
        }
        return text.toString();
    }

    // ---- for everybody

    /** {@return the nanoseconds since the beginning} */
    public long nanos() {
        return now;
    }

    /** {@return the wall-clock time} */
    public Instant now() {
        return BEGIN.plusNanos(now);
    }

    /** {@return the random numbers of this time} */
    public RandomGenerator random() {
        return random;
    }

    /**
     * Runs the task on a virtual thread that belongs to no host and needs no carrier.
     *
     * @param name the thread's name
     * @param task what it does
     * @return the thread
     */
    public Thread start(String name, Runnable task) {
        return start(itself, name, task);
    }

    /**
     * Runs the task on a virtual thread.
     *
     * @param host whose thread it is
     * @param name the thread's name
     * @param task what it does
     * @return the thread
     */
    public Thread start(Host host, String name, Runnable task) {
        return start(host, true, name, task);
    }

    /**
     * Runs the task as a platform thread would run it: it needs no carrier.
     *
     * @param host whose thread it is
     * @param name the thread's name
     * @param task what it does
     * @return the thread
     */
    public Thread startPlatform(Host host, String name, Runnable task) {
        return start(host, false, name, task);
    }

    private Thread start(Host host, boolean needsCarrier, String name, Runnable task) {
        Strand strand = strand(host, needsCarrier, name, task);
        begin(strand);
        return strand.thread;
    }

    /**
     * Returns the time of the calling strand.
     *
     * @return the time
     * @throws IllegalStateException if no strand calls this
     */
    public static VirtualTime current() {
        return self().time;
    }

    /** {@return the host of the calling strand} */
    public static Host currentHost() {
        return self().host;
    }

    // ---- for strands

    /**
     * Waits.
     *
     * @param nanos for how long
     * @throws InterruptedException if the strand is interrupted, or time is over
     */
    public void sleep(long nanos) throws InterruptedException {
        Strand me = self();
        me.block(me.wait(true), deadline(nanos));
    }

    /**
     * Computes: time passes, interrupts change nothing, and a virtual thread keeps its carrier.
     *
     * @param nanos for how long
     */
    public void compute(long nanos) {
        Strand me = self();
        me.onCarrier(me.wait(false), deadline(nanos));
    }

    /** {@return what makes the calling strand, which is about to {@link #pause}, ready} */
    public Runnable waker() {
        Strand.Wait wait = self().wait(true);
        self().paused = wait;
        return wait::end;
    }

    /**
     * Waits until the {@link #waker} is called.
     *
     * @throws InterruptedException if the strand is interrupted, or time is over
     */
    public void pause() throws InterruptedException {
        Strand me = self();
        Strand.Wait wait = me.paused;
        if (wait == null) {
            throw new IllegalStateException("Nobody could wake it");
        }
        me.paused = null;
        me.block(wait, Strand.NEVER);
    }

    long deadline(long nanos) {
        return nanos >= Strand.NEVER - now ? Strand.NEVER : now + Math.max(0, nanos);
    }

    // ---- threads

    Strand strand(Host host, boolean needsCarrier, String name, Runnable task) {
        Strand strand = new Strand(this, host, needsCarrier, name, task);
        byThread.put(strand.thread, strand);
        return strand;
    }

    @Nullable
    Strand of(Thread thread) {
        return byThread.get(thread);
    }

    void begin(Strand strand) {
        strands.add(strand);
        ready(strand);
    }

    void ready(Strand strand) {
        if (!strand.host.killed) {
            ready.add(strand);
        }
    }

    void ended(Strand strand) {
        strands.remove(strand);
        byThread.remove(strand.thread);
        passTo(ending ? null : next());
    }

    void uncaught(Strand strand, Throwable e) {
        if (!ending) {
            fail(e);
        }
    }

    boolean isEnding() {
        return ending;
    }

    /** It ignores that time is over. */
    void leaveForEver(Strand strand) {
        strands.remove(strand);
        byThread.remove(strand.thread);
        passTo(null);
        while (true) {
            LockSupport.park(this);
        }
    }

    // ---- control

    static @Nullable Strand running() {
        return running;
    }

    private static Strand self() {
        Strand me = Strand.current();
        if (me == null) {
            throw new IllegalStateException("Only a strand can wait");
        }
        return me;
    }

    void passOn(Strand me) {
        Strand next = next();
        if (next != me) {
            passTo(next);
            awaitControl(me);
        }
    }

    private @Nullable Strand next() {
        while (failure == null && !stopped) {
            Strand strand = choose();
            if (strand != null) {
                steps++;
                if (++spins > SPINS) {
                    fail(new IllegalStateException("Strands spin without any time passing, the last one is "
                            + strand.thread.getName() + "\n" + dump()));
                    return null;
                }
                return strand;
            }
            Event event = events.peek();
            if (event == null || event.at > horizon) {
                return null;
            }
            events.remove();
            happen(event);
        }
        return null;
    }

    private @Nullable Strand choose() {
        int count = ready.size();
        if (count == 0) {
            return null;
        }
        int first = order == null ? 0 : count == 1 ? 0 : order.nextInt(count);
        for (int i = 0; i < count; i++) {
            int place = (first + i) % count;
            Strand strand = ready.get(place);
            if (!strand.needsCarrier || strand.keepsCarrier || strand.host.busy < strand.host.carriers) {
                ready.remove(place);
                return strand;
            }
        }
        return null;
    }

    private void happen(Event event) {
        Runnable action = event.action;
        if (action != null) {
            spins = event.at > now ? 0 : spins;
            now = event.at;
            try {
                action.run();
            } catch (Throwable e) { // the run fails with it
                fail(e);
            }
        }
    }

    private void fail(Throwable e) {
        failure = failure == null ? e : failure;
    }

    private void passTo(@Nullable Strand next) {
        if (next != null && !next.begun) {
            next.begun = true;
            running = next;
            next.thread.start();
        } else {
            running = next;
            LockSupport.unpark(next == null ? main : next.thread);
        }
    }

    private void awaitControl(@Nullable Strand me) {
        if (me == null) {
            awaitMain();
            return;
        }
        while (running != me) {
            LockSupport.park(this);
            boolean unused = Thread.interrupted(); // by somebody who does not know of strands
        }
    }

    private void awaitMain() {
        long seen = steps;
        long since = System.nanoTime();
        while (running != null) {
            LockSupport.parkNanos(this, STUCK.toNanos()); // may end early
            Strand stuck = running;
            if (steps != seen) {
                seen = steps;
                since = System.nanoTime();
            } else if (stuck != null && System.nanoTime() - since >= STUCK.toNanos()) {
                throw new IllegalStateException(
                        "Stuck: " + stuck.thread.getName() + " " + List.of(stuck.thread.getStackTrace()));
            }
        }
    }
}
