/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.GateWait;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.receive.delivery.InFlightLedger;
import io.github.batchsqs.receive.delivery.InFlightLimit;
import io.github.batchsqs.receive.delivery.ListenerQueue;
import io.github.batchsqs.support.Check;
import io.github.batchsqs.support.EngineStage;
import io.github.batchsqs.support.OncePerMinute;
import io.github.batchsqs.support.OutageLog;
import io.github.batchsqs.support.SafeThrowable;
import io.github.batchsqs.support.SqsLimits;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receives: each poller asks the gates, takes permits, receives, hands over, and looks whether there should be more pollers or fewer.
 *
 * <p>A failed receive backs off, 200 ms at first and at most 2 s, with jitter, and drops nothing that others brought. While all
 * receives fail, one poller probes and the others wait for it, so that the end of an outage is noticed within three seconds
 * and costs about a call a second: see {@link ReceiveOutage}. Throttled pollers back off each for itself, within the same
 * bounds. A poller never waits for a handler, only for permits. Whatever is thrown on its way, an {@code Error} too, a poller
 * backs off and goes on; only a halt and the scaler end one.
 *
 * <p>Each call costs money, so receives are spaced while messages arrive steadily: see {@link ReceiveSpacing}. And a poller whose long poll is empty before half of its wait time pauses, 100 ms at first, twice as
 * long after each further one, at most the wait time and 2 s.
 *
 * <p>Threads: {@link #start} runs each poller on the given executor. All methods may be called by any thread.
 */
public final class Fetcher {

    static final Logger log = LoggerFactory.getLogger(Fetcher.class);

    /** So many empty responses in a row of one poller, each long before its wait time, are no chance. */
    private static final int EARLY_RESPONSES_TO_LOG = 5;

    private final ListenerQueue source;
    private final QueueClient client;
    private final InFlightLimit limit;
    private final Intake intake;
    private final Gates gates;
    private final ListenerEvents events;
    private final TimeSource time;
    private final Work work = new Work();
    private final Pollers pollers;
    private final OutageLog outageLog;
    private final OncePerMinute earlyLine;
    private final AtomicInteger hungry = new AtomicInteger();

    /** Makes the fetcher; no poller runs before {@link #start}. */
    public Fetcher(
            ListenerQueue source,
            QueueClient client,
            InFlightLimit limit,
            InFlightLedger ledger,
            Handover handover,
            Gates gates,
            ListenerEvents events,
            TimeSource time,
            RandomGenerator random) {
        this.source = source;
        this.client = client;
        this.limit = limit;
        this.intake = new Intake(client, limit, ledger, handover, events);
        this.gates = gates;
        this.events = events;
        this.time = time;
        this.pollers = new Pollers(source, limit, ledger, gates, time, random, work);
        this.earlyLine = new OncePerMinute(time);
        this.outageLog =
                new OutageLog(log, time, "Listener " + source.listener() + ": receiving from " + source.name());
    }

    /** Returns the maximum number of messages in flight of a listener: those in invocations, and those that wait for one. */
    public static long maxInFlight(ListenerOptions options) {
        return InFlightTarget.max(options);
    }

    /**
     * Starts the minimum number of pollers; they start and retire others on the same executor.
     *
     * <p>Fails as the executor does if not even one poller could be started; it starts others later if some could not.
     */
    public void start(Executor pollerThreads) {
        pollers.start(pollerThreads);
    }

    /**
     * Receives nothing more until {@link #resume}, and hands nothing over any more when it returns.
     *
     * <p>A poller that waits ends at once. One whose receive is open gets the grace to come back with what SQS has sent
     * already, or 100 ms if all open receives have been open for 2 s; then the receive is aborted: messages that SQS gave to an
     * aborted receive come back by their visibility timeout. A receive that ignores its interrupt is abandoned after the grace has
     * passed once more; what it brings later is returned to the queue. For an interrupted caller there is no grace.
     */
    public void pause(Duration grace) {
        halt(grace, false);
    }

    /**
     * Receives again after a {@link #pause}, unless it has been stopped. All that it has measured still counts, but the gates
     * are asked anew.
     */
    public void resume() {
        gates.reset();
        pollers.resume();
    }

    /** Ends polling for good, as {@link #pause} does, and in the same time: at most twice the grace. */
    public void stop(Duration grace) {
        halt(grace, true);
    }

    private void halt(Duration grace, boolean forGood) {
        Pollers.Remaining remaining = pollers.halt(grace, forGood);
        if (!remaining.receiving().isEmpty()) {
            log.warn(
                    "Listener {}: receives from {} do not end by their interrupt ({}); what they bring is returned to the"
                            + " queue",
                    source.listener(),
                    source.name(),
                    remaining.receiving());
        }
        if (!remaining.asking().isEmpty() && gates.asking()) { // not merely waiting for a gate to open
            log.warn(
                    "Listener {}: gates do not return when their thread is interrupted ({}); let ReceiveGate.check return at"
                            + " once, or throw the InterruptedException",
                    source.listener(),
                    remaining.asking());
        }
        if (!remaining.handingOver().isEmpty()) {
            log.warn(
                    "Listener {}: pollers of {} still hand messages over ({}), for example because a custom executor runs"
                            + " the handler on their threads; they end after that and receive nothing more",
                    source.listener(),
                    source.name(),
                    remaining.handingOver());
        }
    }

    /** Changes the number of pollers. */
    public void change(ListenerOptions current) {
        pollers.setBounds(current.pollers().min(), current.pollers().max());
        gates.wake();
    }

    /** Changes the number of invocations at once, and with it that of the messages in flight. */
    public void setConcurrency(int concurrency) {
        pollers.setRunning(InFlightTarget.running(concurrency, source.options().batchSize()));
    }

    /** Messages were settled: there may be permits for pollers that wait for them. */
    public void settled() {
        if (hungry.get() > 0) {
            pollers.adaptLimit();
        }
    }

    /** Returns how many pollers run. */
    public int pollers() {
        return pollers.size();
    }

    /** Returns how many pollers wait for permits, or for the rate limit. */
    public int blockedPollers() {
        return pollers.blocked();
    }

    /**
     * Returns for how long every receive has failed, or SQS has not responded in time; zero if the last one succeeded. The time
     * during which gates keep the listener from receiving does not count.
     */
    public Duration failingFor() {
        return pollers.failingFor();
    }

    /** Returns how the last receive failed; {@code null} if it succeeded. */
    public @Nullable ReceiveFailure failure() {
        return pollers.failure();
    }

    /** Returns the gate that keeps the listener from receiving; {@code null} if none does. */
    public @Nullable GateWait gateWait() {
        return gates.none() ? null : gates.waiting(pollers.size());
    }

    /**
     * Records the receives to which SQS has not responded in time, and the gates that have not responded; the owner's timer calls
     * it every few seconds.
     */
    public void recordOverdue() {
        gates.recordUnanswered();
        OverdueReceives overdue = pollers.markOverdue();
        if (overdue.longest().isPositive()) {
            for (int i = 0; i < overdue.news(); i++) {
                events.apiCall("ReceiveMessage", 0, overdue.longest(), ReceiveOutage.NO_RESPONSE.code());
            }
            logOverdue(overdue.news(), overdue.longest());
        }
    }

    private void logOverdue(int receives, Duration longest) {
        outageLog.failed(
                ReceiveOutage.NO_RESPONSE.code(),
                "SQS has not responded for " + Check.text(longest.truncatedTo(ChronoUnit.SECONDS))
                        + "; check the network between here and SQS",
                receives,
                longest);
    }

    private final class Work implements Pollers.Work {

        @Override
        public void runOnce(Poller poller) throws InterruptedException {
            int permitted = gates.none() ? Gates.UNBOUNDED : askGates(poller);
            if (permitted == 0) {
                return;
            }
            int permits = acquire(poller, permitted);
            boolean begun = false;
            try {
                begun = pollers.begin(poller, permits);
            } finally {
                if (!begun) {
                    limit.release(permits);
                }
            }
            if (begun) {
                int ignored = receive(poller, permits);
            }
        }

        /** What throws meanwhile is as unexpected, and no reason to end a poller. */
        @Override
        public void unexpected(String what, Throwable e) {
            try {
                log.error("Listener {}: {}", source.listener(), what, e);
                events.unexpected(EngineStage.FETCH.text(), e);
            } catch (Throwable again) {
                log.trace("The failure was not reported", again);
            }
        }
    }

    /**
     * One receive on the calling thread with the permits that are free right now, for those who step the engine manually.
     *
     * @return how many messages it brought into flight
     */
    public int pollOnce() throws InterruptedException {
        int permitted = gates.none() ? Gates.UNBOUNDED : gates.admitNow();
        pollers.adaptLimit();
        int permits = limit.tryAcquire(Math.min(permitted, SqsLimits.MAX_PER_CALL));
        if (permits == 0) {
            return 0;
        }
        Poller poller = pollers.beginHere(permits);
        poller.permitted(permitted, time.nanos());
        try {
            return receive(poller, permits);
        } finally {
            pollers.retire(poller);
        }
    }

    /** Returns how many messages the gates let the poller receive; 0 if it is to look first whether it is still needed. */
    private int askGates(Poller poller) throws InterruptedException {
        int permitted;
        pollers.asksGates(poller);
        try {
            permitted = gates.admit(poller.wakes(), poller::halted);
        } finally {
            pollers.hasAskedGates(poller);
        }
        poller.permitted(permitted, time.nanos());
        return permitted;
    }

    private int acquire(Poller poller, int permitted) throws InterruptedException {
        hungry.incrementAndGet(); // before the limit is adapted, so that no settlement goes unseen
        try {
            return limit.acquire(Math.min(permitted, pollers.awaitsPermits(poller)));
        } finally {
            hungry.decrementAndGet();
        }
    }

    /**
     * One receive of a poller that has begun it.
     *
     * @return how many messages it brought into flight
     */
    private int receive(Poller poller, int asked) throws InterruptedException {
        ReceiveOutage.OpenReceive receive = Objects.requireNonNull(poller.open());
        long calledAt = receive.calledAt();
        List<ReceivedMessage> messages;
        try {
            messages = Objects.requireNonNull(client.receive(new ReceiveCall(
                    source.queue(), asked, receive.waitTime(), source.lease(), poller.memory.attemptId(calledAt))));
        } catch (Throwable e) {
            failed(poller, e, asked, calledAt);
            return 0;
        }
        long took = time.nanos() - calledAt;
        Pollers.Ended ended =
                pollers.endSucceeded(poller, messages.size(), asked, receive.waitTime(), took, age(messages));
        if (ended.abandoned() && ended.stopped()) {
            intake.takeAfterStop(source.queue(), messages);
            return 0;
        }
        if (ended.abandoned()) {
            intake.takeLate(messages, receive);
            return 0;
        }
        int kept = intake.take(messages, ended.permits(), receive, Duration.ofNanos(took)); // first: a log may throw
        poller.memory.handedOver();
        outageLog.succeeded(calledAt);
        if (ended.early() >= EARLY_RESPONSES_TO_LOG) {
            logEarly(ended.early(), receive.waitTime(), took);
        }
        return kept;
    }

    /** Returns how long ago SQS accepted the last of the messages, in nanoseconds. */
    private long age(List<ReceivedMessage> messages) {
        if (messages.isEmpty()) {
            return ReceiveSpacing.UNKNOWN_AGE;
        }
        try {
            ReceivedMessage last = messages.getLast();
            return last.systemAttributes().containsKey("SentTimestamp")
                    ? Duration.between(last.sentAt(), time.now()).toNanos()
                    : ReceiveSpacing.UNKNOWN_AGE;
        } catch (Throwable e) {
            log.trace("The age of a message is unknown", e);
            return ReceiveSpacing.UNKNOWN_AGE; // whoever else reads it fails with it
        }
    }

    private void logEarly(int receives, Duration waitTime, long took) {
        if (earlyLine.due()) {
            log.warn(
                    "Listener {}: receives from {} have empty responses too early, {} in a row, the last after {} ms although"
                            + " wait-time is {}; the listener receives less often. Something between the"
                            + " application and SQS responds instead of SQS, or the server does not support long"
                            + " polling: check the endpoint and the proxy",
                    source.listener(),
                    source.name(),
                    receives,
                    Duration.ofNanos(took).toMillis(),
                    Check.text(waitTime));
        }
    }

    private void failed(Poller poller, Throwable e, int asked, long calledAt) {
        long now = time.nanos();
        if (!pollers.endFailed(poller, asked)) {
            return;
        }
        ReceiveFailure failure = ReceiveFailure.of(e);
        Duration took = Duration.ofNanos(now - calledAt);
        try {
            if (poller.wasOverdue()) { // it is recorded
                logOverdue(0, took);
            } else {
                events.apiCall("ReceiveMessage", 0, took, failure.code());
                outageLog.failed(failure.code(), SafeThrowable.message(e));
            }
        } finally {
            pollers.publish(poller, e, failure, calledAt, now);
        }
        if (e instanceof Error) {
            work.unexpected("A receive failed; it is tried again", e);
        }
    }
}
