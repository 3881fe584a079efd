/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import io.github.batchsqs.jdbc.support.Database;
import io.github.batchsqs.jdbc.support.JdbcThreads;
import io.github.batchsqs.send.KeptFuture;
import io.github.batchsqs.support.OutageLog;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.TransientDataAccessException;

/**
 * Relays the rows of the outbox. One thread claims rows, passes them to the {@link RowSender}, and writes what became of them.
 *
 * <p>Each call of {@link #cycle} does what is due now. What fails in it is done again by the next one: rows whose outcome is not written
 * stay leased, and are sent again if the lease ends first.
 */
final class Relay {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    /** Why futures no longer wait. */
    static final String STOPPED =
            "it stays in the outbox, whose relay does not run in this instance; another instance sends it, or the"
                    + " next start";

    private static final String LATE = "it stays in the outbox, which goes on sending it";

    private static final long RENEWAL_NANOS = Duration.ofSeconds(10).toNanos();

    /** A claim that took longer is followed by a pause of its length. */
    private static final long SHORT_CLAIM_NANOS = Duration.ofMillis(20).toNanos();

    private static final long CONFLICT_PAUSE_NANOS = Duration.ofMillis(50).toNanos();
    private static final int MAX_CONFLICTS = 10;

    /** A cycle of this length is not a failure yet, but counts as one if it does not end. */
    private static final Duration SLOW_CYCLE = Duration.ofSeconds(5);

    private static final long MAX_CONFLICT_NANOS = Duration.ofSeconds(2).toNanos();

    private final OutboxStore store;
    private final RowSender rowSender;
    private final WaitingFutures futures;
    private final OutboxMeters meters;
    private final Duration pollInterval;
    private final TimeSource time;
    private final OutageLog outage;

    private final Bell bell = new Bell();
    private final RowsInFlight inFlight = new RowsInFlight();
    private final ConcurrentLinkedQueue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private volatile boolean running;

    /** When the cycle that runs has begun; {@code null} between two cycles. */
    private volatile @Nullable Long cycleStarted;

    private boolean woken = true;
    private int conflicts;
    private long renewedAt;
    private long measuredAt;
    private long nextClaim;

    Relay(
            OutboxStore store,
            Sender sender,
            WaitingFutures futures,
            OutboxMeters meters,
            Duration pollInterval,
            TimeSource time) {
        this.store = store;
        this.rowSender = new RowSender(sender, inFlight, futures, meters, this::ended, time);
        this.futures = futures;
        this.meters = meters;
        this.pollInterval = pollInterval;
        this.time = time;
        this.outage = new OutageLog(log, time, "Outbox: relaying the rows of " + OutboxTable.NAME);
        long now = time.nanos();
        this.renewedAt = now;
        this.measuredAt = now - RENEWAL_NANOS;
        this.nextClaim = now;
    }

    /** There is a row to send. */
    void wake() {
        bell.ring();
    }

    /** The outcome of a row is known. On any thread. */
    private void ended(Outcome outcome) {
        outcomes.add(outcome);
        bell.ring();
    }

    boolean isRunning() {
        return running;
    }

    /**
     * Returns for how long nothing could be relayed; zero if the last cycle succeeded. A cycle that does not end counts from its
     * beginning: a database that hangs, or a cut network, fails a statement late or never.
     */
    Duration failingFor() {
        Long started = cycleStarted;
        Duration unended = started == null ? Duration.ZERO : Duration.ofNanos(time.nanos() - started);
        Duration failing = outage.failingFor();
        return unended.compareTo(SLOW_CYCLE) < 0 || unended.compareTo(failing) < 0 ? failing : unended;
    }

    /** Allows {@link #run}, on this or another thread. */
    void begin() {
        running = true;
        woken = true;
    }

    /** Ends {@link #run} soon. */
    void end() {
        running = false;
        bell.ring();
    }

    /** Relays until {@link #end}, and then until all rows in flight have an outcome, for a limited time. */
    void run(Duration forResponses) {
        try {
            while (running) {
                long wait = guarded() ? 0 : waitNanos();
                woken |= bell.await(wait);
            }
            long deadline = System.nanoTime() + forResponses.toNanos();
            while (!inFlight.ids().isEmpty() && deadline - System.nanoTime() > 0) {
                settleLast();
                boolean unused = bell.await(Math.clamp(deadline - System.nanoTime(), 1, CONFLICT_PAUSE_NANOS));
            }
            store.release();
        } catch (InterruptedException stopped) {
            log.debug("The relay was interrupted", stopped);
        } catch (RuntimeException | Error failed) { // the leases end by themselves
            log.warn("The leases of the outbox could not be ended, so that other instances wait for their end", failed);
        }
        int left = inFlight.ids().size();
        if (left > 0) {
            log.warn(
                    "The outbox stopped before SQS had responded to {} messages; they stay in {}, and are sent again by another"
                            + " instance or after the next start",
                    left,
                    OutboxTable.NAME);
        }
    }

    private void settleLast() {
        try {
            settle();
        } catch (RuntimeException failed) { // tried again until the deadline
            log.warn("The outcomes of sent messages could not be written to {}", OutboxTable.NAME, failed);
        }
    }

    /** Does what is due; returns whether there is more to do at once. A failure is logged, and followed by a pause. */
    private boolean guarded() {
        long start = time.nanos();
        cycleStarted = start;
        try {
            return cycle();
        } catch (RuntimeException | Error failed) { // also what a driver throws; the thread goes on
            woken = true;
            boolean quick = time.nanos() - start <= MAX_CONFLICT_NANOS; // a wait that has timed out is no conflict
            if (quick && failed instanceof TransientDataAccessException && ++conflicts <= MAX_CONFLICTS) {
                log.debug("The outbox tries again", failed);
            } else {
                Duration lasted = Duration.ofNanos(time.nanos() - start);
                outage.failed(failed.getClass().getSimpleName(), Database.reason(failed), 1, lasted);
            }
            nextClaim = time.nanos()
                    + (quick && conflicts > 0 && conflicts <= MAX_CONFLICTS ? CONFLICT_PAUSE_NANOS : pause());
            return false;
        } finally {
            cycleStarted = null;
        }
    }

    private long pause() {
        return Math.max(pollInterval.toNanos(), CONFLICT_PAUSE_NANOS);
    }

    private long waitNanos() {
        long now = time.nanos();
        return woken && inFlight.hasRoom() ? Math.clamp(nextClaim - now, 1, pause()) : pollInterval.toNanos();
    }

    /** Does what is due now; returns whether there is more to do at once. */
    boolean cycle() {
        long now = time.nanos();
        renew();
        settle();
        complete(futures.removeExpired(now), LATE);
        if (now - measuredAt >= RENEWAL_NANOS) {
            meters.backlog(store.backlog());
            measuredAt = now;
        }
        if (nextClaim - now > 0 || !inFlight.hasRoom()) {
            return false;
        }
        boolean wanted = woken;
        woken = false;
        boolean more = (wanted || store.anythingDue(inFlight.full(steadyMillis()))) && claim();
        conflicts = 0; // only here: a cycle between two claims, which a commit has woken, shows nothing about them
        outage.succeeded();
        return more;
    }

    private void renew() {
        long now = time.nanos();
        if (now - renewedAt >= RENEWAL_NANOS) {
            store.renew(inFlight.ids());
            renewedAt = now;
        }
    }

    /** Writes the outcomes that are there, in short transactions. Leases are renewed in between, because writing many takes long. */
    private void settle() {
        for (int left = outcomes.size(); left > 0; left -= OutboxStore.MAX_ROWS) {
            renew();
            List<Outcome> ended = new ArrayList<>();
            while (ended.size() < Math.min(left, OutboxStore.MAX_ROWS)) {
                ended.add(outcomes.remove());
            }
            write(ended);
        }
    }

    private void write(List<Outcome> ended) {
        try {
            store.settle(ended);
        } catch (RuntimeException | Error notWritten) {
            outcomes.addAll(ended);
            throw notWritten;
        }
        inFlight.remove(ended.stream().map(each -> each.row().id()).toList());
        logRefused(ended);
        woken = true; // rows behind them may be sent now
    }

    private static void logRefused(List<Outcome> ended) {
        List<Outcome.Refused> refused = ended.stream()
                .filter(Outcome.Refused.class::isInstance)
                .map(Outcome.Refused.class::cast)
                .toList();
        if (!refused.isEmpty()) {
            Outcome.Refused first = refused.getFirst();
            log.error(
                    "{} messages of the outbox were refused for good and stay in {}; the first has the id {} and goes to {}: {}."
                            + " Set failed_at to null to send a row again, or delete it",
                    refused.size(),
                    OutboxTable.NAME,
                    first.row().id(),
                    first.row().destination().queueName(),
                    first.error());
        }
    }

    /** Claims and sends rows; returns whether there may be more. */
    private boolean claim() {
        long start = time.nanos();
        boolean[] full = new boolean[1];
        List<Candidate> claimed = store.claim(inFlight.full(steadyMillis()), found -> {
            List<Candidate> chosen = inFlight.choose(found);
            full[0] = !chosen.isEmpty() && (found.size() == OutboxStore.MAX_ROWS || chosen.size() < found.size());
            return chosen;
        });
        long took = time.nanos() - start;
        nextClaim = took > SHORT_CLAIM_NANOS ? start + 2 * took : start;
        if (claimed.isEmpty()) {
            return false;
        }
        List<OutboxRow> rows = store.read(claimed); // if it fails, the leases end
        inFlight.add(claimed);
        List<Long> missing = new ArrayList<>(claimed.stream().map(Candidate::id).toList());
        missing.removeAll(rows.stream().map(OutboxRow::id).toList());
        inFlight.remove(missing);
        rowSender.send(rows);
        woken |= full[0];
        return full[0] && nextClaim == start;
    }

    /** Completes futures that no longer wait, on a thread of their own, because callbacks may block. */
    static void complete(List<KeptFuture> ended, String reason) {
        if (!ended.isEmpty()) {
            Thread unused =
                    JdbcThreads.start("outbox-callbacks", () -> ended.forEach(future -> future.unknown(reason)));
        }
    }

    /** For what stays in this instance: the clock of the others may be set. */
    private long steadyMillis() {
        return Math.floorDiv(time.nanos(), 1_000_000);
    }
}
