/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.TimeSource;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pollers: each takes permits, receives, hands over, and looks whether there should be more pollers or fewer.
 *
 * <p>Pollers know nothing of one another but their number, so that one's failure or wait is its own: a failed receive backs
 * off with jitter, drops nothing that others brought, and recovers by itself. A poller never waits for a handler, only for
 * permits.
 *
 * <p>Threads: {@link #start} runs each poller on the given executor; {@link #stop} may be called once, by any thread, and
 * returns when no poller runs any more.
 */
public final class Fetcher {

    private static final Logger log = LoggerFactory.getLogger(Fetcher.class);

    private final FetchSettings settings;
    private final QueueClient client;
    private final InFlightLimit limit;
    private final InFlightLedger ledger;
    private final Handover handover;
    private final ListenerEvents events;
    private final TimeSource time;
    private final RandomGenerator random;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Poller> pollers = new HashSet<>();
    private final PollerScaler scaler;
    private final AutoPrefetch autoPrefetch;
    private final @Nullable RateLimit rateLimit;
    private final AtomicInteger hungry = new AtomicInteger();
    private int running;
    private boolean stopping;
    private long failingSince;
    private @Nullable ReceiveFailure failure;

    /**
     * Where messages go.
     *
     * @param run to be handled
     * @param delete handled before; only their delete is missing
     * @param giveBack not to be handled now
     */
    public record Handover(
            Consumer<List<Delivery>> run, Consumer<List<Delivery>> delete, Consumer<List<Delivery>> giveBack) {}

    /** Makes the fetcher; no poller runs before {@link #start}. */
    public Fetcher(
            FetchSettings settings,
            QueueClient client,
            InFlightLimit limit,
            InFlightLedger ledger,
            Handover handover,
            ListenerEvents events,
            TimeSource time,
            RandomGenerator random) {
        this.settings = settings;
        this.client = client;
        this.limit = limit;
        this.ledger = ledger;
        this.handover = handover;
        this.events = events;
        this.time = time;
        this.random = random;
        this.scaler = new PollerScaler(
                settings.minPollers(), settings.maxPollers(), settings.pace().isPositive());
        this.autoPrefetch = new AutoPrefetch(settings.maxPollers(), time.nanos());
        this.rateLimit = settings.rateLimit() > 0 ? new RateLimit(settings.rateLimit(), time.nanos()) : null;
        this.running = settings.running();
        limit.setLimit(running + settings.firstPrefetch());
    }

    /** Starts the least number of pollers; they start and retire others on the same executor. */
    public void start(Executor threads) {
        lock.lock();
        try {
            startMissing(threads);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops polling.
     *
     * <p>A poller that waits for permits, for its pace or after an error ends at once. One whose receive is open gets the
     * grace to come back with what SQS has answered already, then the receive is aborted: messages that SQS gave to an
     * aborted receive come back by their visibility timeout.
     */
    public void stop(Duration grace) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            stopping = true;
            pollers.stream().filter(poller -> !poller.receiving).forEach(Poller::interrupt);
            long left = grace.toNanos();
            while (!pollers.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            pollers.forEach(Poller::interrupt);
            while (!pollers.isEmpty()) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Changes the bounds of the number of pollers. */
    public void setPollers(int min, int max, Executor threads) {
        lock.lock();
        try {
            int unused = scaler.setBounds(min, max);
            autoPrefetch.setMaxPollers(max);
            startMissing(threads);
        } finally {
            lock.unlock();
        }
    }

    /** Changes how many messages invocations hold at the most. */
    public void setRunning(int messages) {
        lock.lock();
        try {
            limit.setLimit(limit.limit() + messages - running);
            running = messages;
        } finally {
            lock.unlock();
        }
    }

    /** Messages were settled: there may be permits for pollers that wait for them. */
    public void settled() {
        if (hungry.get() > 0) {
            adaptPrefetch();
        }
    }

    /** How many pollers run. */
    public int pollers() {
        lock.lock();
        try {
            return pollers.size();
        } finally {
            lock.unlock();
        }
    }

    /** For how long every receive has failed; zero if the last one succeeded. */
    public Duration failingFor() {
        lock.lock();
        try {
            return failure == null ? Duration.ZERO : Duration.ofNanos(time.nanos() - failingSince);
        } finally {
            lock.unlock();
        }
    }

    /** How the last receive failed; {@code null} if it succeeded. */
    public @Nullable ReceiveFailure failure() {
        lock.lock();
        try {
            return failure;
        } finally {
            lock.unlock();
        }
    }

    private void startMissing(Executor threads) {
        while (!stopping && pollers.size() < scaler.pollers()) {
            Poller poller = new Poller();
            pollers.add(poller);
            threads.execute(() -> runUntilStopped(poller, threads));
        }
    }

    private void runUntilStopped(Poller poller, Executor threads) {
        try {
            poller.runsOn(Thread.currentThread());
            while (goesOn(poller, threads)) {
                runOnce(poller);
            }
        } catch (InterruptedException e) {
            log.trace(
                    "Poller of {} ends: interrupted by the stop",
                    settings.queue().name());
        } finally {
            lock.lock();
            try {
                pollers.remove(poller);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Whether this poller is still needed; starts others if there are too few. */
    private boolean goesOn(Poller poller, Executor threads) {
        lock.lock();
        try {
            if (stopping) {
                return false;
            }
            startMissing(threads);
            if (pollers.size() > scaler.pollers()) {
                pollers.remove(poller);
                return false;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * One receive on the calling thread with the permits that are free right now, for those who step the engine by hand.
     *
     * @return how many messages are held because of it
     */
    public int pollOnce() throws InterruptedException {
        adaptPrefetch();
        int permits = limit.tryAcquire(FetchSettings.MOST_PER_RECEIVE);
        if (permits == 0) {
            return 0;
        }
        int kept = 0;
        try {
            kept = receive(new Poller(), permits);
        } finally {
            limit.settleReceive(permits, kept);
        }
        return kept;
    }

    private void runOnce(Poller poller) throws InterruptedException {
        pause(poller.memory.pauseNanos(time.nanos()));
        int wanted = rateLimit == null
                ? FetchSettings.MOST_PER_RECEIVE
                : Math.min(FetchSettings.MOST_PER_RECEIVE, rateLimit.most());
        int permits = acquire(wanted);
        int kept = 0;
        try {
            awaitTokens(permits);
            kept = receive(poller, permits);
        } finally {
            limit.settleReceive(permits, kept);
        }
    }

    private int acquire(int wanted) throws InterruptedException {
        hungry.incrementAndGet();
        try {
            adaptPrefetch(); // after saying so, that no settlement goes unseen
            return limit.acquire(wanted);
        } finally {
            hungry.decrementAndGet();
        }
    }

    /**
     * One receive of a poller that holds permits for it.
     *
     * @return how many messages are held because of it
     */
    private int receive(Poller poller, int permits) throws InterruptedException {
        long calledAt = time.nanos();
        if (!poller.beginReceive()) {
            return 0;
        }
        List<ReceivedMessage> messages;
        try {
            messages = client.receive(new ReceiveCall(
                    settings.queue(),
                    permits,
                    settings.waitTime(),
                    settings.visibilityTimeout(),
                    poller.memory.attemptId(calledAt)));
        } catch (RuntimeException e) {
            failed(poller, e, permits, calledAt);
            return 0;
        } finally {
            poller.endReceive();
        }
        long took = time.nanos() - calledAt;
        events.apiCall("ReceiveMessage", messages.size(), Duration.ofNanos(took), null);
        events.received(messages.size());
        answered(poller, messages.size(), permits, took);
        InFlightLedger.Received received = ledger.receive(messages, calledAt);
        for (int i = 0; i < received.leasesLost(); i++) {
            events.leaseLost();
        }
        if (!received.toRun().isEmpty()) {
            handover.run().accept(received.toRun());
        }
        if (!received.toDelete().isEmpty()) {
            handover.delete().accept(received.toDelete());
        }
        if (!received.toGiveBack().isEmpty()) {
            handover.giveBack().accept(received.toGiveBack());
        }
        return received.kept();
    }

    private void answered(Poller poller, int messages, int asked, long took) {
        lock.lock();
        try {
            failure = null;
            poller.memory.answered(messages, asked, time.nanos());
            int unused = scaler.answered(messages, asked, took, roomForAnother());
            if (rateLimit != null) {
                rateLimit.giveBack(asked - messages);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether one poller more could find permits at all; adapted to the rate, there are always enough. */
    private boolean roomForAnother() {
        return settings.prefetch() == FetchSettings.AUTO
                || (scaler.pollers() + 1) * FetchSettings.MOST_PER_RECEIVE <= limit.limit();
    }

    private void adaptPrefetch() {
        if (settings.prefetch() != FetchSettings.AUTO) {
            return;
        }
        lock.lock();
        try {
            limit.setLimit(running + autoPrefetch.target(time.nanos(), scaler.roundTrip(), ledger.settledSoFar()));
        } finally {
            lock.unlock();
        }
    }

    private void failed(Poller poller, RuntimeException e, int permits, long calledAt) {
        ReceiveFailure failed = ReceiveFailure.of(e);
        Duration delay = poller.memory.failed(e, time.nanos());
        lock.lock();
        try {
            if (failure == null) {
                failingSince = calledAt;
            }
            failure = failed;
            if (rateLimit != null) {
                rateLimit.giveBack(permits);
            }
        } finally {
            lock.unlock();
        }
        events.apiCall("ReceiveMessage", 0, Duration.ofNanos(time.nanos() - calledAt), failed.code());
        log.warn(
                "Receiving from {} failed ({}): {}; next try in {} ms",
                settings.queue().name(),
                failed.code(),
                e.getMessage(),
                delay.toMillis());
    }

    private void awaitTokens(int messages) throws InterruptedException {
        if (rateLimit == null) {
            return;
        }
        lock.lockInterruptibly();
        try {
            for (long wait = rateLimit.take(messages, time.nanos());
                    wait > 0;
                    wait = rateLimit.take(messages, time.nanos())) {
                awaitNanos(wait);
            }
        } finally {
            lock.unlock();
        }
    }

    private void pause(long nanos) throws InterruptedException {
        if (nanos <= 0) {
            return;
        }
        lock.lockInterruptibly();
        try {
            awaitNanos(nanos);
        } finally {
            lock.unlock();
        }
    }

    private void awaitNanos(long nanos) throws InterruptedException {
        for (long left = nanos; left > 0 && !stopping; ) {
            left = changed.awaitNanos(left);
        }
        if (stopping) {
            throw new InterruptedException("The fetcher stops");
        }
    }

    /** One poller: its thread, and whether a receive of it is open. */
    private final class Poller {

        private final PollerMemory memory = new PollerMemory(settings, random);
        private @Nullable Thread thread;
        private boolean receiving;

        void runsOn(Thread current) {
            lock.lock();
            try {
                thread = current;
            } finally {
                lock.unlock();
            }
        }

        /** A poller without a thread yet sees that the fetcher stops before its first receive. */
        void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }

        boolean beginReceive() {
            lock.lock();
            try {
                receiving = !stopping;
                return receiving;
            } finally {
                lock.unlock();
            }
        }

        void endReceive() {
            lock.lock();
            try {
                receiving = false;
            } finally {
                lock.unlock();
            }
        }
    }
}
