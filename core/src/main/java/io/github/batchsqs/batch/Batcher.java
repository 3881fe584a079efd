/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import io.github.batchsqs.BatchSqsException;
import io.github.batchsqs.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers entries into calls and gives each entry a result of its own. Deleting, changing visibility and sending are this
 * one idea with three {@link BatchCall}s.
 *
 * <p>Mechanism: {@link #add} puts the entry into the {@link OpenBatch} under a short lock. Whoever makes a batch complete
 * (a caller that fills it, the timer when the linger passed, a call that came back and freed its place) takes it out and
 * starts its call on the executor; the lock is never held during a call, nor while promises complete. Up to
 * {@code maxInFlight} calls run at once; what arrives meanwhile gathers, so that batches grow under load.
 *
 * <p>An entry that was refused but may succeed later, and all entries of a call that failed so, are tried again with
 * backoff until their deadline. At its deadline an entry fails, also while it waits or its call hangs: a promise completes
 * in any case. Within a lane, order is kept: if an entry was refused while a later one of its lane was accepted by the same
 * call, trying it again would put it out of order, so it fails with {@link #OUT_OF_ORDER} instead.
 *
 * <p>Threads: any thread may call any method. The owner runs {@link #runTimer()} on a thread of its own, which ends after
 * {@link #close()}.
 *
 * @param <E> an entry
 * @param <R> what an accepted entry brings back
 */
public final class Batcher<E, R> {

    /** {@link EntryFailedException#code()}: the deadline passed first. Whether the last call was acted on is not known. */
    public static final String DEADLINE_EXCEEDED = "DeadlineExceeded";

    /** {@link EntryFailedException#code()}: the batcher was closed first. */
    public static final String CLOSED = "Closed";

    /** {@link EntryFailedException#code()}: a later entry of the lane was accepted by the call that refused this one. */
    public static final String OUT_OF_ORDER = "OutOfOrder";

    /** {@link EntryFailedException#code()}: the call failed as a whole, for good. */
    public static final String CALL_FAILED = "CallFailed";

    /** The codes that are this class's own words, not the server's. */
    public static final Set<String> OWN_CODES = Set.of(DEADLINE_EXCEEDED, CLOSED, OUT_OF_ORDER, CALL_FAILED);

    /** How often deadlines are looked at while entries are under way. */
    private static final long SWEEP_NANOS = Duration.ofMillis(250).toNanos();

    private static final Logger log = LoggerFactory.getLogger(Batcher.class);

    /** Whose promises complete on this thread just now; of any batcher, lest two whose promises flush wait for each other. */
    private static final ThreadLocal<Batcher<?, ?>.@Nullable Turn> DELIVERING = new ThreadLocal<>();

    private final BatcherSettings settings;
    private final BatchCall<E, R> call;
    private final Executor calls;
    private final TimeSource time;
    private final RandomGenerator random;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition timer = lock.newCondition();
    private final OpenBatch<E, R> open;
    private final Set<List<Pending<E, R>>> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Epoch> flushes = new ArrayList<>();
    private Epoch epoch = new Epoch();
    private int outstanding;
    private boolean closed;
    private boolean timerSleeps;
    private long timerWakesAt;
    private long nextSweep;

    /** Makes a batcher; nothing runs before the first {@link #add}. */
    public Batcher(
            BatcherSettings settings, BatchCall<E, R> call, Executor calls, TimeSource time, RandomGenerator random) {
        this.settings = settings;
        this.call = call;
        this.calls = calls;
        this.time = time;
        this.random = random;
        this.open = new OpenBatch<>(settings.limits());
    }

    /**
     * Takes an entry.
     *
     * @return its promise; fails with {@link EntryFailedException}, and at once if the batcher is closed
     */
    public CompletableFuture<R> add(BatchEntry<E> entry) {
        return addAll(List.of(entry)).getFirst();
    }

    /** Takes entries under one lock, so that ten of them make a full call; see {@link #add}. */
    public List<CompletableFuture<R>> addAll(List<BatchEntry<E>> entries) {
        List<CompletableFuture<R>> promises = new ArrayList<>(entries.size());
        Turn turn = new Turn();
        lock.lock();
        try {
            long now = time.nanos();
            for (BatchEntry<E> entry : entries) {
                Pending<E, R> pending = new Pending<>(entry, now, epoch);
                promises.add(pending);
                enter(pending);
                if (closed) {
                    turn.fail(pending, CLOSED, "Not accepted: this batcher is closed", null);
                } else {
                    open.offer(pending, now);
                }
            }
            turn.takeReady(now);
            wakeTimer(now);
        } finally {
            lock.unlock();
        }
        turn.end();
        return promises;
    }

    /**
     * Sends what waits now without linger.
     *
     * @return completes when the promises of everything that was added before this call are complete, whether accepted or
     *     failed, and what hangs on them has run; called by what hangs on a promise, it does not wait for those of
     *     the same call
     */
    public CompletableFuture<Void> flush() {
        for (Batcher<?, ?>.Turn caller = DELIVERING.get(); caller != null; caller = caller.outer) {
            caller.leave();
        }
        Turn turn = new Turn();
        List<Epoch> waitFor;
        lock.lock();
        try {
            long now = time.nanos();
            epoch.close();
            flushes.removeIf(CompletableFuture::isDone);
            flushes.add(epoch);
            waitFor = List.copyOf(flushes);
            epoch = new Epoch();
            open.flush(now);
            turn.takeReady(now);
            wakeTimer(now);
        } finally {
            lock.unlock();
        }
        turn.end();
        return CompletableFuture.allOf(waitFor.toArray(CompletableFuture<?>[]::new));
    }

    /** Refuses new entries, fails with {@link #CLOSED} what is not settled yet, and ends the timer. */
    public void close() {
        Turn turn = new Turn();
        lock.lock();
        try {
            closed = true;
            open.removeIf(entry -> true).forEach(entry -> turn.fail(entry, CLOSED, "Closed before it was sent", null));
            for (List<Pending<E, R>> batch : inFlight) {
                batch.forEach(entry -> turn.fail(entry, CLOSED, "Closed before its call was answered", null));
            }
            timer.signalAll();
        } finally {
            lock.unlock();
        }
        turn.end();
    }

    /** How many entries are not settled yet. */
    public int size() {
        lock.lock();
        try {
            return outstanding;
        } finally {
            lock.unlock();
        }
    }

    /** Runs until {@link #close()}: sends batches whose linger passed and fails entries whose deadline passed. */
    public void runTimer() throws InterruptedException {
        while (awaitWork()) {
            tick();
        }
    }

    /** One turn of the timer: what is due now goes out, what is late fails. */
    public void tick() {
        Turn turn = new Turn();
        lock.lock();
        try {
            long now = time.nanos();
            if (nextSweep - now <= 0) {
                nextSweep = now + SWEEP_NANOS;
                open.removeIf(entry -> entry.expired(now)).forEach(turn::expire);
                for (List<Pending<E, R>> batch : inFlight) {
                    batch.stream()
                            .filter(entry -> !entry.settled && entry.expired(now))
                            .forEach(turn::expire);
                }
            }
            turn.takeReady(now);
        } finally {
            lock.unlock();
        }
        turn.end();
    }

    @SuppressWarnings("WaitNotInLoop") // runTimer is the loop; waking early costs one look
    private boolean awaitWork() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (closed) {
                return false;
            }
            long now = time.nanos();
            long wait = nanosUntilWork(now);
            timerSleeps = true;
            timerWakesAt = wait == OpenBatch.NEVER ? wait : now + wait;
            if (wait == OpenBatch.NEVER) {
                timer.await();
            } else if (wait > 0) {
                long ignored = timer.awaitNanos(wait);
            }
            timerSleeps = false;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private long nanosUntilWork(long now) {
        long batch = inFlight.size() < settings.maxInFlight() ? open.nanosUntilDue(now) : OpenBatch.NEVER;
        return outstanding > 0 ? Math.min(batch, Math.max(0, nextSweep - now)) : batch;
    }

    private void wakeTimer(long now) {
        if (!timerSleeps) {
            return;
        }
        long wait = nanosUntilWork(now);
        if (wait != OpenBatch.NEVER && (timerWakesAt == OpenBatch.NEVER || now + wait - timerWakesAt < 0)) {
            timerWakesAt = now + wait;
            timer.signal();
        }
    }

    private void enter(Pending<E, R> entry) {
        entry.epoch.enter();
        if (outstanding++ == 0) {
            nextSweep = entry.offeredAt + SWEEP_NANOS;
        }
    }

    /**
     * Runs a call, and starts whatever became ready meanwhile: a call that comes back frees its place for the next. The
     * next call gets a thread of its own, since promises complete on this one, and their dependents may take their time or
     * even wait for that call.
     */
    private void run(List<Pending<E, R>> batch) {
        Answer<R> answer = ask(batch);
        Turn turn = new Turn();
        lock.lock();
        try {
            long now = time.nanos();
            inFlight.remove(batch);
            turn.settle(batch, answer, now);
            turn.takeReady(now);
            wakeTimer(now);
        } finally {
            lock.unlock();
        }
        turn.end();
    }

    private Answer<R> ask(List<Pending<E, R>> batch) {
        List<E> items = new ArrayList<>(batch.size());
        batch.forEach(entry -> items.add(entry.item));
        try {
            List<EntryResult<R>> results = call.call(items);
            if (results.size() != items.size()) {
                return new Answer<>(
                        List.of(),
                        new IllegalStateException(
                                "A call of " + items.size() + " entries answered for " + results.size()));
            }
            return new Answer<>(results, null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer<>(List.of(), e);
        } catch (RuntimeException | Error e) {
            return new Answer<>(List.of(), e);
        }
    }

    private record Answer<R>(
            List<EntryResult<R>> results, @Nullable Throwable failure) {

        EntryResult<R> of(int index) {
            return failure == null
                    ? results.get(index)
                    : new EntryResult.Rejected<>(
                            CALL_FAILED,
                            String.valueOf(failure.getMessage()),
                            failure instanceof BatchSqsException known && known.retryable());
        }
    }

    /** What one hold of the lock decided, done after it: calls to start and promises to complete. */
    private final class Turn {

        private final List<List<Pending<E, R>>> ready = new ArrayList<>(1);
        private final List<Pending<E, R>> settled = new ArrayList<>();
        private boolean left;

        /** Within whose promises this one's complete. */
        private Batcher<?, ?>.@Nullable Turn outer;

        void takeReady(long now) {
            while (inFlight.size() < settings.maxInFlight()) {
                List<Pending<E, R>> batch = open.poll(now);
                if (batch == null) {
                    return;
                }
                batch.forEach(entry -> entry.attempts++);
                inFlight.add(batch);
                ready.add(batch);
            }
        }

        void settle(List<Pending<E, R>> batch, Answer<R> answer, long now) {
            List<Pending<E, R>> again = new ArrayList<>(0);
            Map<Object, List<Pending<E, R>>> lanes = new HashMap<>();
            // Backwards, so that an entry knows whether a later one of its lane was accepted.
            Set<Object> passed = new HashSet<>();
            for (int i = batch.size() - 1; i >= 0; i--) {
                Pending<E, R> entry = batch.get(i);
                List<Pending<E, R>> laneAgain =
                        entry.lane == null ? again : lanes.computeIfAbsent(entry.lane, key -> new ArrayList<>(0));
                switch (answer.of(i)) {
                    case EntryResult.Accepted<R> yes -> {
                        if (entry.lane != null) {
                            passed.add(entry.lane);
                        }
                        accept(entry, yes.value());
                    }
                    case EntryResult.Rejected<R> no -> {
                        if (!no.retryable() || entry.settled) {
                            fail(entry, no.code(), no.message(), answer.failure());
                        } else if (entry.lane != null && passed.contains(entry.lane)) {
                            fail(
                                    entry,
                                    OUT_OF_ORDER,
                                    "Refused (" + no.code() + ": " + no.message() + ") by a call that accepted a later"
                                            + " entry of the same group; sending it again would reorder the group",
                                    answer.failure());
                        } else {
                            entry.lastFailure = reason(entry, no, answer.failure());
                            laneAgain.addFirst(entry);
                        }
                    }
                }
            }
            // One delay for all, so that they come back together and do not become a call each.
            long notBefore = now + retryDelay(batch);
            inTime(again, notBefore).forEach(entry -> open.retry(entry, notBefore));
            lanes.forEach((lane, entries) -> open.release(lane, inTime(entries, notBefore), notBefore, now));
        }

        private long retryDelay(List<Pending<E, R>> batch) {
            int attempts = 1;
            for (Pending<E, R> entry : batch) {
                attempts = Math.max(attempts, entry.attempts);
            }
            return settings.retry().delay(attempts, random).toNanos();
        }

        /** Those that may be tried again then; gives up the others. */
        private List<Pending<E, R>> inTime(List<Pending<E, R>> entries, long notBefore) {
            List<Pending<E, R>> inTime = new ArrayList<>(entries.size());
            for (Pending<E, R> entry : entries) {
                if (closed || entry.deadline - notBefore <= 0) {
                    giveUp(entry);
                } else {
                    inTime.add(entry);
                }
            }
            return inTime;
        }

        private EntryFailedException reason(
                Pending<E, R> entry, EntryResult.Rejected<R> no, @Nullable Throwable failure) {
            return new EntryFailedException(no.code(), no.message(), entry.attempts, failure);
        }

        private void giveUp(Pending<E, R> entry) {
            if (closed) {
                fail(entry, CLOSED, "Closed before it was accepted", entry.lastFailure);
            } else {
                expire(entry);
            }
        }

        void expire(Pending<E, R> entry) {
            String last = entry.lastFailure == null ? "no call was answered" : entry.lastFailure.getMessage();
            fail(
                    entry,
                    DEADLINE_EXCEEDED,
                    "Not accepted before its deadline, after " + entry.attempts + " calls (" + last + ")",
                    entry.lastFailure);
        }

        void fail(Pending<E, R> entry, String code, String message, @Nullable Throwable cause) {
            if (!entry.settled) {
                entry.failed(new EntryFailedException(code, message, entry.attempts, cause));
                decided(entry);
            }
        }

        private void accept(Pending<E, R> entry, R value) {
            if (!entry.settled) {
                entry.accepted(value);
                decided(entry);
            }
        }

        private void decided(Pending<E, R> entry) {
            settled.add(entry);
            outstanding--;
        }

        void end() {
            ready.forEach(this::start);
            if (!settled.isEmpty()) {
                deliver();
            }
        }

        private void deliver() {
            outer = DELIVERING.get();
            DELIVERING.set(this);
            try {
                tell();
                settled.forEach(Pending::deliver);
            } finally {
                if (outer == null) {
                    DELIVERING.remove();
                } else {
                    DELIVERING.set(outer);
                }
                leave();
            }
        }

        /** Flushes wait for these entries no longer. */
        void leave() {
            if (!left) {
                left = true;
                settled.forEach(entry -> entry.epoch.leave());
            }
        }

        private void tell() {
            try {
                call.settled(settled);
            } catch (RuntimeException | Error e) {
                log.error(
                        "Not told what became of {} entries; their promises complete all the same", settled.size(), e);
            }
        }

        private void start(List<Pending<E, R>> batch) {
            try {
                calls.execute(() -> run(batch));
            } catch (RejectedExecutionException e) {
                refuse(batch, e);
            }
        }

        private void refuse(List<Pending<E, R>> batch, RejectedExecutionException e) {
            Turn turn = new Turn();
            lock.lock();
            try {
                inFlight.remove(batch);
                turn.settle(batch, new Answer<>(List.of(), e), time.nanos());
                wakeTimer(time.nanos());
            } finally {
                lock.unlock();
            }
            turn.end();
        }
    }
}
