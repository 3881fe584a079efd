/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.LoopAlarm;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups entries into calls, and completes the future of each entry with the entry's own result. Deletes, visibility changes
 * and sends use it, each with its own {@link BatchCall}.
 *
 * <p>Mechanism: {@link #add} puts the entry into the {@link OpenBatch} under a short lock. Whoever makes a batch complete
 * (a caller that fills it, the timer after the linger, the end of a call that made room) takes it out and
 * starts its call on the executor; the lock is never held during a call, nor while futures complete. Up to
 * {@code maxInFlight} calls run at once; entries that arrive meanwhile accumulate, so that batches grow under load.
 *
 * <p>{@link CallResults} decides what the results of a call mean. An entry that was refused but may succeed later, and all
 * entries of a call that failed so, are tried again with backoff until their deadline, and later if the server asks for that; those of a call that one of them may
 * have spoilt ({@link CallFailure#alone()}) at once, each alone. At its deadline an entry fails, also while it waits or its
 * call hangs: a future completes in any case. Entries with equal ordering keys keep their order: if a call refuses an entry
 * but accepts a later one with the same key, trying the first again would put it out of order, so it fails with
 * {@link EntryFailedException#OUT_OF_ORDER} instead. A call that carries an entry with an ordering key beyond the entry's deadline is
 * interrupted, and the other entries of the call are tried again; any other call is interrupted when the deadlines of all its
 * entries have passed.
 *
 * <p>Futures complete on call threads, never on the timer (which records outcomes, {@link BatchCall#settled}), and those of
 * one call in order. A callback may block, and may wait for any other future of a batcher, also of the same call: the timer
 * then lets another call thread complete the rest.
 *
 * <p>Threads: any thread may call any method. The owner gives it an alarm ({@link #timedBy}), or runs {@link #runTimer()} on a
 * thread of its own, which ends after {@link #close()}.
 *
 * @param <E> an entry
 * @param <R> what an accepted entry brings back
 */
public final class Batcher<E, R> {

    /** The interval at which deadlines are checked while entries are not settled. */
    private static final long SWEEP_NANOS = Duration.ofMillis(250).toNanos();

    private static final Logger log = LoggerFactory.getLogger(Batcher.class);

    private final BatcherSettings settings;
    private final BatchCall<E, R> call;
    private final Executor calls;
    private final TimeSource time;
    private final RandomGenerator random;

    private final ReentrantLock lock = new EngineLock();
    private Alarm alarm = Alarm.NONE;
    private final OpenBatch<E, R> open;
    private final Set<InFlightCall<E, R>> inFlight = new LinkedHashSet<>();
    private final Completions<E, R> completions;

    /** The barriers of earlier flushes that may not be complete yet, and that of new entries. */
    private final List<FlushBarrier> flushed = new ArrayList<>();

    private FlushBarrier barrier = new FlushBarrier();
    private int outstanding;
    private State state = State.OPEN;
    private long nextSweep;

    private enum State {
        OPEN,
        /** Starts no more calls; those in flight may end. */
        ENDING,
        CLOSED
    }

    /** Creates a batcher; nothing runs before the first {@link #add}. */
    public Batcher(
            BatcherSettings settings, BatchCall<E, R> call, Executor calls, TimeSource time, RandomGenerator random) {
        this.settings = settings;
        this.call = call;
        this.calls = calls;
        this.time = time;
        this.random = random;
        this.open = new OpenBatch<>(settings.limits());
        this.completions = new Completions<>(calls);
    }

    /**
     * Adds an entry.
     *
     * @return the entry's future; fails with {@link EntryFailedException}, and at once if the batcher is closed
     */
    public CompletableFuture<R> add(BatchEntry<E> entry) {
        return addAll(List.of(entry)).getFirst();
    }

    /** Adds entries under one lock, so that ten of them make a full call; see {@link #add}. */
    public List<CompletableFuture<R>> addAll(List<BatchEntry<E>> entries) {
        List<CompletableFuture<R>> futures = new ArrayList<>(entries.size());
        After<E, R> after = new After<>();
        Completion<E, R> refused;
        lock.lock();
        try {
            long now = time.nanos();
            for (BatchEntry<E> entry : entries) {
                Pending<E, R> pending = new Pending<>(entry, now, barrier, call);
                futures.add(pending);
                enter(pending);
                if (state == State.OPEN) {
                    open.offer(pending, now);
                } else {
                    pending.close();
                    after.settled.add(pending);
                }
            }
            refused = completionOf(after, false);
            if (refused == null) {
                takeReady(after, now);
                wakeTimer(now);
            }
        } finally {
            lock.unlock();
        }
        startCalls(after, true);
        if (refused != null) {
            refused.run();
        }
        return futures;
    }

    /**
     * Sends all waiting entries without linger.
     *
     * @return a future that completes normally once the future of every entry added before this call is complete, whether
     *     accepted or failed, and its callbacks have run. When called from such a callback, it does not wait for the other
     *     entries of the same call
     */
    public CompletableFuture<Void> flush() {
        Completion.arriveCurrent();
        After<E, R> after = new After<>();
        List<FlushBarrier> waitFor;
        lock.lock();
        try {
            long now = time.nanos();
            barrier.close();
            flushed.removeIf(CompletableFuture::isDone);
            flushed.add(barrier);
            barrier = new FlushBarrier();
            waitFor = List.copyOf(flushed);
            open.flush(now);
            takeReady(after, now);
            wakeTimer(now);
        } finally {
            lock.unlock();
        }
        startCalls(after, true);
        return CompletableFuture.allOf(waitFor.toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Refuses new entries and starts no more calls: entries that wait for one fail with {@link EntryFailedException#CLOSED}. Calls in flight may
     * end until {@link #close()}; the future of {@link #flush()} completes when all have ended.
     */
    public void endSending() {
        end(State.ENDING);
    }

    /** Refuses new entries, fails with {@link EntryFailedException#CLOSED} those that are not settled yet, and ends the timer. */
    public void close() {
        end(State.CLOSED);
    }

    /** Interrupts the calls in flight. */
    public void abortCalls() {
        lock.lock();
        try {
            inFlight.forEach(InFlightCall::abort);
        } finally {
            lock.unlock();
        }
    }

    private void end(State to) {
        After<E, R> after = new After<>();
        Completion<E, R> completion;
        lock.lock();
        try {
            state = state == State.CLOSED ? State.CLOSED : to;
            for (Pending<E, R> entry : open.removeIf(entry -> true)) {
                entry.close();
                after.settled.add(entry);
            }
            if (to == State.CLOSED) {
                inFlight.forEach(each -> each.close(after.settled));
            }
            completion = completionOf(after, true);
            alarm.ringIn(0, time.nanos());
        } finally {
            lock.unlock();
        }
        completions.recordAndHandOver(completion, true);
    }

    /** Returns the number of entries that are not settled yet. */
    public int size() {
        lock.lock();
        try {
            return outstanding;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has this alarm call {@link #tick()}: to send batches whose linger passed, to fail entries whose deadline passed, and to detect
     * callbacks that block other futures.
     */
    public void timedBy(Alarm timer) {
        lock.lock();
        try {
            alarm = timer;
            alarm.ringAt(time.nanos());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Does the same on the calling thread, until {@link #close()} and until the remaining futures are complete. It ends at an interrupt,
     * which only the end of the process brings, and keeps it.
     */
    public void runTimer() {
        LoopAlarm loop = new LoopAlarm(time);
        timedBy(loop);
        try {
            while (!ended()) {
                loop.await();
                Supervised.run(this::tick, e -> {
                    log.error("The timer of a batcher failed and goes on", e);
                    loop.ringAt(time.nanos());
                });
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends the batches and fails the entries that are due now; the timer calls this repeatedly. */
    public void tick() {
        After<E, R> after = new After<>();
        Completion<E, R> completion;
        lock.lock();
        try {
            long now = time.nanos();
            if (nextSweep - now <= 0) {
                nextSweep = now + SWEEP_NANOS;
                sweep(after, now);
            }
            takeReady(after, now);
            completion = completionOf(after, true);
            completions.look(after.stalled, now);
            wakeTimer(now);
        } finally {
            lock.unlock();
        }
        startCalls(after, false);
        completions.recordAndHandOver(completion, false);
        after.stalled.forEach(each -> completions.handOver(each, false));
    }

    private void sweep(After<E, R> after, long now) {
        for (Pending<E, R> entry : open.removeIf(entry -> entry.expired(now))) {
            entry.expire();
            after.settled.add(entry);
        }
        inFlight.forEach(each -> each.expire(after.settled, now));
    }

    private boolean ended() {
        lock.lock();
        try {
            return completions.allTaken() && state == State.CLOSED; // in this order: it removes those that are done
        } finally {
            lock.unlock();
        }
    }

    private long nanosUntilWork(long now) {
        long wait = hasRoom() ? open.nanosUntilDue(now) : OpenBatch.NEVER;
        if (outstanding > 0) {
            wait = Math.min(wait, Math.max(0, nextSweep - now));
        }
        return Math.min(wait, completions.nanosUntilLook(now));
    }

    private void wakeTimer(long now) {
        alarm.ringIn(nanosUntilWork(now), now);
    }

    private void enter(Pending<E, R> entry) {
        entry.barrier.register();
        if (outstanding++ == 0) {
            nextSweep = entry.offeredAt + SWEEP_NANOS;
        }
    }

    private boolean hasRoom() {
        return inFlight.size() < settings.maxInFlight();
    }

    private void takeReady(After<E, R> after, long now) {
        while (hasRoom()) {
            List<Pending<E, R>> batch = open.poll(now);
            if (batch == null) {
                return;
            }
            InFlightCall<E, R> started = new InFlightCall<>(batch);
            inFlight.add(started);
            after.starts.add(started);
        }
    }

    /** Starts calls; {@code orHere} as in {@link Completions#handOver}. */
    private void startCalls(After<E, R> after, boolean orHere) {
        for (InFlightCall<E, R> each : after.starts) {
            Throwable refusal = ForeignCode.run(() -> calls.execute(() -> run(each)));
            if (refusal != null) {
                CallFailure judged = new CallFailure(refusal instanceof Error, false);
                Completion<E, R> completion = settle(each, CallResults.Outcome.failed(refusal, judged), true);
                completions.recordAndHandOver(completion, orHere);
            }
        }
    }

    /**
     * Runs a call, and starts the calls that became possible by its end. Each of these gets a thread of its own, because
     * futures complete on this one, and their callbacks may block or even wait for the next call.
     */
    private void run(InFlightCall<E, R> inFlightCall) {
        CallResults.Outcome<R> outcome = inFlightCall.make(call);
        Completion<E, R> completion = settle(inFlightCall, outcome, false);
        boolean interrupted = Thread.interrupted() && !inFlightCall.aborted();
        call.called(outcome.results(), outcome.failure());
        if (completion != null) {
            completion.run();
        }
        if (interrupted || (outcome.failure() instanceof InterruptedException && !inFlightCall.aborted())) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends a call and starts the calls that became possible by that. Returns the futures to complete. */
    private @Nullable Completion<E, R> settle(
            InFlightCall<E, R> ended, CallResults.Outcome<R> outcome, boolean refused) {
        After<E, R> after = new After<>();
        Completion<E, R> completion;
        lock.lock();
        try {
            long now = time.nanos();
            inFlight.remove(ended);
            decide(ended.entries, outcome, after, now);
            if (!refused) { // else the timer goes on: the executor would refuse the next call at once
                takeReady(after, now);
            }
            completion = completionOf(after, refused);
            wakeTimer(now);
        } finally {
            lock.unlock();
        }
        startCalls(after, true);
        return completion;
    }

    private void decide(List<Pending<E, R>> batch, CallResults.Outcome<R> outcome, After<E, R> after, long now) {
        CallResults<E, R> results = new CallResults<>(batch, outcome, now, settings, random, state == State.OPEN);
        after.settled.addAll(results.settled());
        results.again().forEach(entry -> open.retry(entry, results.notBefore()));
        results.againByKey().forEach((key, entries) -> open.release(key, entries, results.notBefore(), now));
    }

    /**
     * Creates the completion of the settled entries, under the lock, and watches it.
     *
     * @param always whether to watch it also if it has one future: it may never begin where it is handed over
     */
    private @Nullable Completion<E, R> completionOf(After<E, R> after, boolean always) {
        if (after.settled.isEmpty()) {
            return null;
        }
        outstanding -= after.settled.size();
        Completion<E, R> completion = new Completion<>(call, after.settled);
        if (always || completion.size() > 1) {
            completions.watch(completion, time.nanos());
        }
        return completion;
    }

    /** What is left to do after the lock is released. */
    private static final class After<E, R> {

        final List<InFlightCall<E, R>> starts = new ArrayList<>(1);

        /** Entries that were settled just now, in the order in which their futures complete. */
        final List<Pending<E, R>> settled = new ArrayList<>();

        /** Completions that another thread should continue, because a callback blocks their thread. */
        final List<Completion<E, R>> stalled = new ArrayList<>(0);
    }
}
