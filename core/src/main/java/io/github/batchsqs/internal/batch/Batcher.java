/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Locked;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ObjLongConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Groups entries into calls, and {@linkplain BatchCall#deliver delivers} the outcome of each entry. Deletes, visibility changes
 * and sends use it, each with its own {@link BatchCall}.
 *
 * <p>Mechanism: {@link #addAll} puts the entries into the {@link OpenBatch} under a short lock. Whoever makes a batch complete
 * (a caller that fills it, the timer after the linger, the end of a call that made room) takes it out and
 * starts its call on the executor; the lock is never held during a call, nor during deliveries. Up to
 * {@code maxInFlight} calls run at once; entries that arrive meanwhile accumulate, so that batches grow under load.
 *
 * <p>{@link CallResults} decides what the results of a call mean. An entry that was refused but may succeed later, and all
 * entries of a call that failed so, are tried again with backoff until their deadline, and later if the server asks for that; those of a call that one of them may
 * have spoilt ({@link CallFailure#alone()}) at once, each alone. At its deadline an entry fails, also while it waits or its
 * call hangs: its outcome is delivered in any case. Entries with equal ordering keys keep their order: if a call refuses an entry
 * but accepts a later one with the same key, trying the first again would put it out of order, so it fails with
 * {@link EntryFailedException#OUT_OF_ORDER} instead. A call that carries an entry with an ordering key beyond the entry's deadline is
 * interrupted, and the other entries of the call are tried again; any other call is interrupted when the deadlines of all its
 * entries have passed.
 *
 * <p>Outcomes are delivered on call threads, never on the timer (which records them, {@link BatchCall#settled}), and those of
 * one call in order. A delivery may block, and may wait for any other one of a batcher, also of the same call: at its next
 * look the timer lets another call thread deliver the rest.
 *
 * <p>Threads: any thread may call any method. The owner gives it an alarm ({@link #timedBy}), of which it asks
 * for no more looks after {@link #close()}, once nothing waits for a delivery.
 *
 * @param <E> an entry
 * @param <R> what an accepted entry brings back
 */
public final class Batcher<E, R> {

    /** The interval at which deadlines and deliveries are checked while entries are not settled, or not delivered. */
    private static final long SWEEP_NANOS = Duration.ofMillis(250).toNanos();

    private final BatcherSettings settings;
    private final BatchCall<E, R> call;
    private final Executor calls;
    private final TimeSource time;
    private final RandomGenerator random;

    private final ReentrantLock lock = new EngineLock();
    private volatile Alarm alarm = Alarm.NONE;
    private final OpenBatch<E, R> open;
    private final Set<InFlightCall<E, R>> inFlight = new LinkedHashSet<>();

    /** Those that the timer watches, because a delivery may block the others. */
    private final ArrayDeque<Completion<E, R>> completions = new ArrayDeque<>();

    /** The barriers of earlier flushes that may not be complete yet, and that of new entries. */
    private final List<FlushBarrier> flushed = new ArrayList<>();

    private FlushBarrier barrier = new FlushBarrier();
    private int outstanding;
    private boolean sending = true;
    private long nextSweep;

    /** Creates a batcher; nothing runs before the first {@link #addAll}. */
    public Batcher(
            BatcherSettings settings, BatchCall<E, R> call, Executor calls, TimeSource time, RandomGenerator random) {
        this.settings = settings;
        this.call = call;
        this.calls = calls;
        this.time = time;
        this.random = random;
        this.open = new OpenBatch<>(settings.linger());
    }

    /** Adds entries under one lock, so that ten of them make a full call. They fail at once if the batcher is closed. */
    public void addAll(List<BatchEntry<E>> entries) {
        Completion<E, R> refused = change((after, now) -> {
            for (BatchEntry<E> entry : entries) {
                Pending<E, R> pending = new Pending<>(entry, now, barrier, call);
                enter(pending, now);
                if (sending) {
                    open.offer(pending, now);
                } else {
                    pending.close();
                    after.settled.add(pending);
                }
            }
        });
        if (refused != null) {
            refused.record();
            refused.run();
        }
    }

    /**
     * Sends all waiting entries without linger.
     *
     * @return a future that completes normally once the outcome of every entry added before this call is delivered, whether
     *     accepted or failed. When called from such a delivery, it does not wait for the other entries of the same call
     */
    public CompletableFuture<Void> flush() {
        Completion.arriveCurrent();
        List<FlushBarrier> waitFor = new ArrayList<>();
        var unused = change((after, now) -> {
            barrier.close();
            flushed.removeIf(CompletableFuture::isDone);
            flushed.add(barrier);
            barrier = new FlushBarrier();
            waitFor.addAll(flushed);
            open.flush(now);
        });
        return CompletableFuture.allOf(waitFor.toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Refuses new entries and starts no more calls: entries that wait for one fail with {@link EntryFailedException#CLOSED}. Calls in flight may
     * end until {@link #close()}; the future of {@link #flush()} completes when all have ended.
     */
    public void endSending() {
        end(false);
    }

    /** Refuses new entries, fails with {@link EntryFailedException#CLOSED} those that are not settled yet. */
    public void close() {
        end(true);
    }

    /** Interrupts the calls in flight. */
    public void abortCalls() {
        Locked.run(lock, () -> inFlight.forEach(InFlightCall::abort));
    }

    /** @param inFlightToo whether the entries of calls in flight fail too */
    private void end(boolean inFlightToo) {
        recordAndHandOver(change((after, now) -> {
            sending = false;
            for (Pending<E, R> entry : open.removeIf(entry -> true)) {
                entry.close();
                after.settled.add(entry);
            }
            if (inFlightToo) {
                inFlight.forEach(each -> each.close(after.settled));
            }
        }));
    }

    /** Returns the number of entries that are not settled yet. */
    public int size() {
        return Locked.get(lock, () -> outstanding);
    }

    /**
     * Has this alarm call {@link #tick()}: to send batches whose linger passed, to fail entries whose deadline passed, and to detect
     * deliveries that block others.
     */
    public void timedBy(Alarm timer) {
        alarm = timer;
        timer.ringAt(time.nanos());
    }

    /** Sends the batches and fails the entries that are due now; the timer calls this repeatedly. */
    public void tick() {
        List<Completion<E, R>> stalled = new ArrayList<>(0);
        recordAndHandOver(change((after, now) -> {
            if (nextSweep - now <= 0) {
                nextSweep = now + SWEEP_NANOS;
                sweep(after, stalled, now);
            }
        }));
        stalled.forEach(calls::execute);
    }

    private void sweep(After<E, R> after, List<Completion<E, R>> stalled, long now) {
        for (Pending<E, R> entry : open.removeIf(entry -> entry.expired(now))) {
            entry.expire();
            after.settled.add(entry);
        }
        inFlight.forEach(each -> each.expire(after.settled, now));
        completions.removeIf(Completion::allTaken);
        for (Completion<E, R> each : completions) {
            if (each.stalledSinceLastLook()) {
                stalled.add(each); // a delivery blocks its thread
            }
        }
    }

    private long nanosUntilWork(long now) {
        long wait = hasRoom() ? open.nanosUntilDue(now) : Alarm.NEVER;
        return outstanding > 0 || !completions.isEmpty() ? Math.min(wait, Math.max(0, nextSweep - now)) : wait;
    }

    /**
     * Changes something under the lock, and starts the calls that it makes possible.
     *
     * @return delivers the entries that it settles
     */
    private @Nullable Completion<E, R> change(ObjLongConsumer<After<E, R>> change) {
        After<E, R> after = new After<>();
        Completion<E, R> completion;
        long now;
        long lookIn;
        lock.lock();
        try {
            now = time.nanos();
            change.accept(after, now);
            takeReady(after, now);
            completion = completionOf(after);
            lookIn = nanosUntilWork(now);
        } finally {
            lock.unlock();
        }
        alarm.ringIn(lookIn, now); // it may start a thread, whose locks are taken in no other
        after.starts.forEach(each -> calls.execute(() -> run(each)));
        return completion;
    }

    private void enter(Pending<E, R> entry, long now) {
        entry.barrier.register();
        if (outstanding == 0 && completions.isEmpty()) {
            nextSweep = now + SWEEP_NANOS; // the first one
        }
        outstanding++;
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

    /** Records the outcome on this thread, and lets a call thread deliver it; does nothing for {@code null}. */
    private void recordAndHandOver(@Nullable Completion<E, R> completion) {
        if (completion != null) {
            completion.record();
            calls.execute(completion);
        }
    }

    /**
     * Runs a call, and starts the calls that became possible by its end. Each of these gets a thread of its own, because
     * outcomes are delivered on this one, which may block or even wait for the next call.
     */
    private void run(InFlightCall<E, R> inFlightCall) {
        CallResults.Outcome<R> outcome = inFlightCall.make(call);
        Completion<E, R> completion = settle(inFlightCall, outcome);
        boolean unused = Thread.interrupted(); // callbacks start without the interrupt of the call
        try {
            call.called(outcome.results(), outcome.failure());
        } finally {
            if (completion != null) {
                completion.record();
                completion.run();
            }
        }
    }

    /** Ends a call and starts the calls that became possible by that. Returns what delivers its outcome. */
    private @Nullable Completion<E, R> settle(InFlightCall<E, R> ended, CallResults.Outcome<R> outcome) {
        return change((after, now) -> {
            inFlight.remove(ended);
            decide(ended.entries, outcome, after, now);
        });
    }

    private void decide(List<Pending<E, R>> batch, CallResults.Outcome<R> outcome, After<E, R> after, long now) {
        CallResults<E, R> results = new CallResults<>(batch, outcome, now, settings, random, sending);
        after.settled.addAll(results.settled());
        open.ended(batch, results.again(), results.notBefore(), now);
    }

    /**
     * Creates the completion of the settled entries, under the lock. The timer watches it if it has several entries.
     */
    private @Nullable Completion<E, R> completionOf(After<E, R> after) {
        if (after.settled.isEmpty()) {
            return null;
        }
        outstanding -= after.settled.size();
        Completion<E, R> completion = new Completion<>(call, after.settled);
        if (after.settled.size() > 1) {
            for (var first = completions.peek(); first != null && first.allTaken(); first = completions.peek()) {
                completions.remove();
            }
            completions.add(completion);
        }
        return completion;
    }

    /** What is left to do after the lock is released. */
    private static final class After<E, R> {

        final List<InFlightCall<E, R>> starts = new ArrayList<>(0);

        /** Entries that were settled just now, in the order in which they are delivered. */
        final List<Pending<E, R>> settled = new ArrayList<>();
    }
}
