/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.KeptFuture;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.jdbc.internal.outbox.Outcome.Blame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.TransientDataAccessException;

/**
 * Relays the rows of the outbox. One thread finds rows, passes them to the {@link RowSender}, and writes what became of them.
 *
 * <p>Each call of {@link #cycle} does what is due now. What fails in it is done again by the next one. A look begins where the last one
 * ended, so that it does not pass over rows that were deleted; each second or so, one look begins at the first row. It finds
 * what other instances left, rows of a later time, and what an operator has freed.
 */
final class Relay {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    /** Why futures no longer wait. */
    static final String STOPPED =
            "it stays in the outbox, whose relay does not run in this instance; another instance sends it, or the"
                    + " next start";

    private static final String NO_CLAIM =
            "another session keeps the row 'claim' of " + OutboxTable.LOCK + " locked, or it is missing";
    private static final String FULL = "it stays in the outbox, in which too many messages wait";
    private static final String LATE_BEAT =
            "The outbox did not show in time that it lives, perhaps because the pool had no"
                    + " connection for it: another instance may also send the {} messages that this one is sending";

    private static final String LATE = "it stays in the outbox, which goes on sending it";

    /** How often the instance shows that it lives; the lease is five times as long. */
    private static final long BEAT_NANOS = Duration.ofMillis(500).toNanos();

    /** How long after a beat rows may still be stored for this instance. */
    private static final long ALIVE_NANOS = OutboxStore.LEASE.toNanos() - BEAT_NANOS;

    /** The shortest times between two looks at the whole table, and between two counts. Each takes a tenth of the time at most. */
    private static final long FULL_LOOK_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long MEASURE_NANOS = Duration.ofSeconds(10).toNanos();

    private static final int SHARE = 10;

    /** How long outcomes gather, so that one statement writes many. */
    private static final long GATHER_NANOS = Duration.ofMillis(10).toNanos();

    private static final long BUSY_NANOS = Duration.ofMillis(5).toNanos();
    private static final long BLOCKED_NANOS = Duration.ofMillis(100).toNanos();

    /** A look or a commit asks for a claim before. */
    private static final long IDLE_NANOS = Duration.ofHours(1).toNanos();

    private static final long CONFLICT_PAUSE_NANOS = Duration.ofMillis(50).toNanos();
    private static final long MAX_CONFLICT_NANOS = Duration.ofSeconds(2).toNanos();

    /** Nothing has failed yet while cycles succeed so often. */
    private static final Duration SLOW_CYCLE = Duration.ofSeconds(5);

    private final OutboxStore store;
    private final RowSender rowSender;
    private final OutboxMeters meters;
    private final TimeSource time;
    private final OutageLog outage;

    /** Has a permit if there may be something to do. */
    private final Semaphore bell = new Semaphore(0);

    private final OwnRows own = new OwnRows();
    private final RowsInFlight inFlight;

    /** What became of rows, as calls to SQS end. */
    private final ConcurrentLinkedQueue<Outcome> outcomes = new ConcurrentLinkedQueue<>();

    /** Rows that failed, and that stay with this instance for a pause. */
    private final List<Outcome.Later> paused = new ArrayList<>();

    /** What is written next. */
    private final List<Outcome> ended = new ArrayList<>();

    /** The number of the run that is wanted; 0 if none is. A thread that outlives its stop belongs to an earlier run. */
    private final AtomicInteger wanted = new AtomicInteger();

    private final AtomicInteger runs = new AtomicInteger();

    /** Held by the run that relays. */
    private final Semaphore relaying = new Semaphore(1);

    /** The lowest id that transactions have committed since the last look, and that has to be claimed; perhaps long after higher ones. */
    private final AtomicLong stored = new AtomicLong(Long.MAX_VALUE);

    /** When the instance showed last that it lives. */
    private volatile long beatAt;

    /** When the last cycle succeeded, or the run began. */
    private volatile long succeededAt;

    private volatile boolean lookEverywhere = true;
    private long fullLookAt;
    private long measureAt;
    private long resumeAt;

    /** When a stop takes no more rows; {@code null} without one. */
    private @Nullable Long lastTakeAt;

    /** From which id on, and when, to look for rows to claim. */
    private long claimFrom;

    private long claimAt;

    /** The destinations that the last claim left out, and the lowest id at which their rows may be. */
    private Set<Destination> leftOut = Set.of();

    private long leftOutFrom = Long.MAX_VALUE;

    /** Whether another instance claimed when the last claim was due. */
    private boolean busy;

    /** Whether claims look at the own rows too: they began at the first row, and have not come to an end yet. */
    private boolean claimsAll = true;

    /**
     * The highest id of the table at the last two counts. Rows of ids below the last one do not appear unseen: the order of groups
     * depends on counts that are at least 10 s apart. When a commit takes longer, the sign of life of its instance shows it to the others.
     */
    private long nextHighest;

    private long settledHighest;

    Relay(OutboxStore store, Sender sender, OutboxMeters meters, TimeSource time) {
        this.store = store;
        this.rowSender = new RowSender(sender, own, outcomes::add, time);
        this.inFlight = new RowsInFlight(time);
        this.meters = meters;
        this.time = time;
        this.outage = new OutageLog(log, time, "Outbox: relaying the rows of " + OutboxTable.NAME);
        long now = time.nanos();
        this.beatAt = now - OutboxStore.LEASE.toNanos();
        this.measureAt = now;
        this.fullLookAt = now;
        this.claimAt = now;
        this.resumeAt = now;
        meters.relayFails(this::failingFor);
    }

    OwnRows own() {
        return own;
    }

    /**
     * A transaction has committed rows.
     *
     * @param patience how long their futures wait
     */
    void committed(List<OutboxRow> rows, Duration patience) {
        meters.stored(rows.size());
        KeptFuture.inOutbox(own.committed(rows, time.nanos() + patience.toNanos(), inFlight::isFailing), FULL);
        rows.stream()
                .filter(row -> row.candidate().owner() == null)
                .mapToLong(row -> row.candidate().id())
                .min()
                .ifPresent(lowest -> stored.accumulateAndGet(lowest, Math::min));
        bell.release();
        if (!isRunning()) {
            KeptFuture.inOutbox(own.futures(rows), STOPPED);
        }
    }

    /** There may be a row to send, anywhere. */
    void wake() {
        lookEverywhere = true;
        bell.release();
    }

    boolean isRunning() {
        return wanted.get() != 0;
    }

    /** Returns whether other instances leave the rows that this one stores to it. */
    boolean isAlive() {
        return isRunning() && isLeased();
    }

    private boolean isLeased() {
        return time.nanos() - beatAt < ALIVE_NANOS;
    }

    /**
     * Returns for how long nothing could be relayed; zero for the first seconds, and without a run. A cycle that does not end counts: a
     * database that hangs, or a cut network, fails a statement late or never.
     */
    Duration failingFor() {
        Duration since = Duration.ofNanos(time.nanos() - succeededAt);
        return isRunning() && since.compareTo(SLOW_CYCLE) >= 0 ? since : Duration.ZERO;
    }

    /** Allows {@link #run}, on this or another thread. */
    void begin() {
        succeededAt = time.nanos();
        wanted.set(runs.incrementAndGet());
        lookEverywhere = true;
    }

    /** Ends {@link #run} soon. */
    void end() {
        wanted.set(0);
        bell.release();
    }

    /** Relays until {@link #end}, and then until nothing is left to send, for a limited time. Begins when the run before has ended. */
    void run(Duration forDrain) {
        int run = wanted.get();
        try {
            relaying.acquire(); // one that was stopped may still wait for the database
            try {
                while (run != 0 && wanted.get() == run) {
                    boolean more = guarded();
                    await(more ? 0 : waitNanos());
                }
                drain(forDrain);
            } finally {
                lastTakeAt = null; // also if the drain was interrupted: another run may follow
                relaying.release();
            }
        } catch (InterruptedException stopped) {
            log.warn("The relay of the outbox was interrupted, and ends; other instances send its rows");
        } finally {
            boolean unused = wanted.compareAndSet(run, 0);
        }
    }

    private void await(long nanos) throws InterruptedException {
        boolean unused = bell.tryAcquire(nanos, TimeUnit.NANOSECONDS);
        int ignored = bell.drainPermits();
    }

    /** Sends what may be sent, and says what stays. In the last fifth of the time it only writes what became of rows. */
    private void drain(Duration forDrain) throws InterruptedException {
        long deadline = time.nanos() + forDrain.toNanos();
        lastTakeAt = deadline - forDrain.dividedBy(5).toNanos();
        lookEverywhere = true;
        boolean done = false;
        while (!done && deadline - time.nanos() > 0) {
            boolean more = guarded();
            boolean claimed =
                    claimAt - time.nanos() > BUSY_NANOS; // for now, or others of their groups are sent elsewhere
            done = !more && ((claimed && !lookEverywhere) || !takes()) && inFlight.size() == paused.size();
            if (!more && !done) {
                await(Math.clamp(deadline - time.nanos(), 1, Math.min(waitNanos(), BLOCKED_NANOS)));
            }
        }
        int unanswered = inFlight.size() - paused.size();
        try {
            if (unanswered == 0) {
                store.release(); // otherwise, calls that end soon would be repeated at once
                inFlight.remove(paused.stream().map(Outcome.Later::row).toList());
                paused.clear();
                beatAt = time.nanos() - OutboxStore.LEASE.toNanos(); // a start that follows is that of another instance
            }
            long waiting = store.in(OutboxTable::backlog).waiting();
            if (waiting > 0) {
                log.warn(
                        "The outbox has stopped; {} messages of all instances wait in {}, and {} of this one have no response"
                                + " of SQS. Another instance sends them, or the next start",
                        waiting,
                        OutboxTable.NAME,
                        unanswered);
            }
        } catch (RuntimeException failed) { // the lease ends by itself
            log.warn("The outbox has stopped, but the database does not say what stays in it", failed);
        }
    }

    /** Does what is due; returns whether there is more to do at once. A failure is logged, and followed by a pause. */
    private boolean guarded() {
        try {
            return cycle();
        } catch (RuntimeException | Error failed) { // also what a driver throws; the thread goes on
            long now = time.nanos();
            claimAt = now;
            if (lastTakeAt != null) { // a drain ends behind a look
                lookEverywhere = true;
            }
            expireFutures();
            boolean conflict = failed instanceof TransientDataAccessException
                    && now - succeededAt <= MAX_CONFLICT_NANOS; // not a wait that has timed out
            if (conflict) {
                log.debug("The outbox tries again", failed);
            } else {
                Duration failing = Duration.ofNanos(now - succeededAt);
                outage.failed(failed.getClass().getSimpleName(), Database.reason(failed), 1, failing);
            }
            resumeAt = now + (conflict ? CONFLICT_PAUSE_NANOS : FULL_LOOK_NANOS);
            return false;
        }
    }

    private long waitNanos() {
        long now = time.nanos();
        long wait = Math.min(BEAT_NANOS - (now - beatAt), fullLookAt - now);
        if (takes()) {
            wait = Math.min(wait, claimAt - now);
        }
        if (!own.isEmpty() || !paused.isEmpty()) {
            wait = Math.min(wait, BLOCKED_NANOS);
        }
        if (inFlight.size() > paused.size()) {
            wait = Math.min(wait, GATHER_NANOS);
        }
        return Math.clamp(Math.max(wait, resumeAt - now), 1, BEAT_NANOS);
    }

    /** Does what is due now; returns whether there is more to do at once. */
    boolean cycle() {
        long now = time.nanos();
        if (resumeAt - now > 0) {
            return false;
        }
        beat();
        settle();
        boolean unused = claimFrom(stored.getAndSet(Long.MAX_VALUE));
        if (takes()) {
            sendOwn();
        }
        boolean claims = takes();
        boolean more = claims && claim();
        if (lookEverywhere || fullLookAt - now <= 0) {
            look();
        }
        if (measureAt - now <= 0) {
            measure();
        }
        if (!busy || !claims) {
            succeededAt = time.nanos();
            outage.succeeded();
        } else if (failingFor().isPositive()) {
            outage.failed("Locked", NO_CLAIM, 1, failingFor());
        }
        return more;
    }

    private boolean takes() {
        Long last = lastTakeAt;
        return inFlight.hasRoom() && (last == null || last - time.nanos() > 0);
    }

    private void beat() {
        long now = time.nanos();
        if (now - beatAt >= BEAT_NANOS) {
            String before = store.owner();
            own.ownedBy(store.live(own.open()));
            beatAt = now;
            int unanswered = inFlight.size() - paused.size();
            if (unanswered > 0 && !before.equals(store.owner())) {
                log.warn(LATE_BEAT, unanswered);
            }
        }
    }

    /** Looks at the whole table for rows that the next claim has to take. A failure costs this look alone. */
    private void look() {
        long began = time.nanos();
        lookEverywhere = false;
        expireFutures();
        try {
            claimsAll |= claimFrom(store.look(inFlight.full(), this::isKnown));
        } finally {
            fullLookAt = next(began, FULL_LOOK_NANOS);
        }
    }

    private void measure() {
        long began = time.nanos();
        settledHighest = nextHighest;
        nextHighest = store.highest;
        try {
            meters.backlog(store.in(OutboxTable::backlog));
        } finally {
            measureAt = next(began, MEASURE_NANOS);
        }
    }

    private long next(long began, long shortest) {
        return began + Math.max(shortest, SHARE * (time.nanos() - began));
    }

    private void expireFutures() {
        long now = time.nanos();
        KeptFuture.inOutbox(own.futuresIf(deadline -> deadline - now <= 0), LATE);
    }

    /** Claims next from such an id on, unless it is the highest number; returns whether it does so. */
    private boolean claimFrom(long id) {
        boolean claims = id != Long.MAX_VALUE;
        if (claims) {
            claimFrom = Math.min(claimFrom, id);
            claimAt = time.nanos();
        }
        return claims;
    }

    /** Sends what this instance has stored, from memory. */
    private void sendOwn() {
        if (isLeased()) {
            List<OutboxRow> rows = own.take(inFlight.full(), inFlight::choose);
            inFlight.add(candidates(rows));
            rowSender.send(rows);
        }
    }

    private static List<Candidate> candidates(List<OutboxRow> rows) {
        return rows.stream().map(OutboxRow::candidate).toList();
    }

    private boolean isKnown(Candidate row) {
        return inFlight.contains(row) || own.contains(row);
    }

    /** Claims and sends rows that no instance sends; returns whether there may be more. */
    private boolean claim() {
        Set<Destination> without = inFlight.full();
        boolean unused = !without.containsAll(leftOut) && claimFrom(leftOutFrom); // some have room again
        long now = time.nanos();
        if (claimAt - now > 0) {
            return false;
        }
        leftOutFrom = without.isEmpty() ? Long.MAX_VALUE : Math.min(leftOutFrom, claimFrom);
        leftOut = without;
        OutboxStore.Claim claim = store.claim(without, claimFrom, claimsAll, this::isKnown, inFlight::choose);
        busy = claim.busy();
        if (busy) {
            claimAt = now + BUSY_NANOS;
            return false;
        }
        claimAt = claim.left() ? now : time.nanos() + (claim.blocked() ? BLOCKED_NANOS : IDLE_NANOS);
        claimsAll &= claim.left() || !without.isEmpty();
        claimFrom = Math.max(claimFrom, Math.min(claim.first(), settledHighest));
        send(claim.rows());
        return claim.left();
    }

    /** If this fails, the rows are found again. */
    private void send(List<Candidate> claimed) {
        if (claimed.isEmpty()) {
            return;
        }
        List<OutboxRow> rows = new ArrayList<>(store.read(claimed));
        if (!isLeased()) { // it took so long that others may have them
            return;
        }
        inFlight.add(candidates(rows));
        rows.removeIf(row -> {
            String unreadable = row.unreadable();
            return unreadable != null
                    && outcomes.add(new Outcome.Refused(row.candidate(), row.attempts() + 1, unreadable));
        });
        rowSender.send(rows);
    }

    /** Writes the outcomes that are there, in short transactions. If one fails, the next cycle writes the rest. */
    private void settle() {
        List<Candidate> failed = new ArrayList<>(0);
        for (Outcome next = outcomes.poll(); next != null; next = outcomes.poll()) {
            if (next instanceof Outcome.Later(var row, long from, int attempts, Blame blame, String error)) {
                paused.add(new Outcome.Later(inFlight.pause(row), from, attempts, blame, error));
                if (blame == Blame.QUEUE) {
                    inFlight.fails(row.destination());
                }
                if (blame != Blame.ANOTHER) {
                    failed.add(row);
                }
            } else {
                inFlight.works(next.row().destination());
                ended.add(next);
            }
        }
        long now = time.nanos();
        if (!failed.isEmpty()) {
            meters.count("retries", failed);
            own.leave(inFlight::isFailing);
        }
        paused.removeIf(each -> each.from() - now <= 0 && ended.add(each));
        while (!ended.isEmpty()) {
            beat();
            List<Outcome> some = ended.subList(0, Math.min(ended.size(), OutboxTable.MAX_ROWS));
            write(some);
            some.clear();
        }
    }

    private void write(List<Outcome> some) {
        store.settle(some);
        List<Candidate> accepted = new ArrayList<>();
        List<Outcome.Refused> refused = new ArrayList<>();
        for (Outcome each : some) {
            Candidate row = each.row();
            switch (each) {
                case Outcome.Accepted one -> accepted.add(row);
                case Outcome.Refused one -> refused.add(one);
                case Outcome.Later one -> claimFrom(row.id());
            }
            if (row.owner() == null) { // it was claimed: there may be rows behind it, for which is room now
                claimAt = time.nanos();
            }
        }
        inFlight.remove(some.stream().map(Outcome::row).toList());
        meters.count("sent", accepted);
        meters.count("refused", refused.stream().map(Outcome::row).toList());
        logRefused(refused);
    }

    private static void logRefused(List<Outcome.Refused> refused) {
        if (!refused.isEmpty()) {
            Outcome.Refused first = refused.getFirst();
            log.error(
                    "{} messages of the outbox were refused for good and stay in {}; the first has the id {} and goes to {}: {}."
                            + " The endpoint batchsqsoutbox sends them again or deletes them",
                    refused.size(),
                    OutboxTable.NAME,
                    first.row().id(),
                    first.row().destination().queueName(),
                    first.error());
        }
    }
}
