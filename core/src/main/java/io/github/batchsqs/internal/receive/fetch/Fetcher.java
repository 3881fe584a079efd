/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.SafeThrowable;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.listener.ReceiveWait;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receives: each poller waits at the {@link Valve} until it may receive, receives, and hands over.
 *
 * <p>A failed receive backs off, 200 ms at first and at most 2 s, with jitter, or as long as its response asks for, and drops nothing that others brought. While all
 * receives fail, one poller probes and the others wait for it, so that the end of an outage is noticed within three seconds
 * and costs about a call a second: see {@link ReceiveOutage}. Throttled pollers back off each for itself, within the same
 * bounds. A poller never waits for a handler, only for a {@link Reason}. Only a halt and the scaler end one.
 *
 * <p>Each call costs money, so receives are spaced while messages arrive steadily: see {@link ReceiveSpacing}. And a poller whose long poll is empty before half of its wait time pauses, 100 ms at first, twice as
 * long after each further one, at most the wait time and 2 s.
 *
 * <p>Threads: {@link #start} runs each poller on the given executor. All methods may be called by any thread.
 */
public final class Fetcher {

    private static final Logger log = LoggerFactory.getLogger(Fetcher.class);

    /** So many empty responses in a row of one poller, each long before its wait time, are no chance. */
    private static final int EARLY_RESPONSES_TO_LOG = 5;

    private final ListenerQueue source;
    private final QueueClient client;
    private final Intake intake;
    private final ListenerEvents events;
    private final Runnable whenMemoryIsExhausted;
    private final TimeSource time;
    private final Work work = new Work();
    private final Valve valve;
    private final OutageLog outageLog;
    private final OncePerMinute earlyLine;

    /**
     * Makes the fetcher; no poller runs before {@link #start}.
     *
     * @param whenMemoryIsExhausted called by a poller, without a lock, each time that it finds the memory exhausted
     */
    public Fetcher(
            ListenerQueue source,
            QueueClient client,
            InFlightLimit limit,
            InFlightLedger ledger,
            Handover handover,
            Gates gates,
            Runnable whenMemoryIsExhausted,
            ListenerEvents events,
            TimeSource time,
            RandomGenerator random) {
        this.source = source;
        this.client = client;
        this.intake = new Intake(client, limit, ledger, handover, events);
        this.events = events;
        this.whenMemoryIsExhausted = whenMemoryIsExhausted;
        this.time = time;
        this.valve = new Valve(source, limit, ledger, gates, time, random, work);
        this.earlyLine = new OncePerMinute(time);
        this.outageLog =
                new OutageLog(log, time, "Listener " + source.listener() + ": receiving from " + source.name());
    }

    /**
     * Starts the minimum number of pollers; they start and retire others on the same executor.
     *
     * <p>Fails as the executor does if not even one poller could be started; it starts others later if some could not.
     */
    public void start(Executor pollerThreads) {
        valve.start(pollerThreads);
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
        valve.resume();
    }

    /** Ends polling for good, as {@link #pause} does, and in the same time: at most twice the grace. */
    public void stop(Duration grace) {
        halt(grace, true);
    }

    private void halt(Duration grace, boolean forGood) {
        Valve.Remaining remaining = valve.halt(grace, forGood);
        if (!remaining.receiving().isEmpty()) {
            log.warn(
                    "Listener {}: receives from {} do not end by their interrupt ({}); what they bring is returned to the"
                            + " queue",
                    source.listener(),
                    source.name(),
                    remaining.receiving());
        }
        if (!remaining.asking().isEmpty()) {
            log.warn(
                    "Listener {}: gates do not return when their thread is interrupted ({}); let ReceiveGate.check return at"
                            + " once, or throw the InterruptedException",
                    source.listener(),
                    remaining.asking());
        }
    }

    /** Changes the number of valve. */
    public void change(ListenerOptions current) {
        valve.setBounds(current.pollers().min(), current.pollers().max());
    }

    /** Changes the number of invocations at once, and with it that of the messages in flight. */
    public void setConcurrency(int concurrency) {
        valve.setRunning(InFlightTarget.running(concurrency, source.options().batchSize()));
    }

    /** Messages were settled: the limit may rise for pollers that wait for permits. */
    public void settled() {
        valve.settled();
    }

    /** So many messages wait here for a retry, with their permits. */
    public void waitForRetry(int messages) {
        valve.setWaiting(messages);
    }

    /** The executor takes no batch for so long, 0 when it has taken one: until then, and for as long again, nothing is received. */
    public void waitForExecutor(long nanos) {
        valve.setRefused(2 * nanos);
    }

    /** Returns how many pollers run. */
    public int pollers() {
        return valve.size();
    }

    /** Returns how many pollers wait before their next receive. */
    public int blockedPollers() {
        return valve.blocked();
    }

    /**
     * Returns for how long every receive has failed, or SQS has not responded in time; zero if the last one succeeded. The time
     * during which gates keep the listener from receiving does not count.
     */
    public Duration failingFor() {
        return valve.failingFor();
    }

    /** Returns how the last receive failed; {@code null} if it succeeded. */
    public @Nullable ReceiveFailure failure() {
        return valve.failure();
    }

    /** Returns why the listener receives nothing; {@code null} if a receive is open or its messages are handed over. */
    public @Nullable ReceiveWait waitsFor() {
        return valve.waitsFor();
    }

    /**
     * Records the receives to which SQS has not responded in time, and the gates that have not responded; the owner's timer calls
     * it every few seconds.
     */
    public void recordOverdue() {
        valve.recordUnanswered().run();
        OverdueReceives overdue = valve.markOverdue();
        if (overdue.longest().isPositive()) {
            for (int i = 0; i < overdue.news(); i++) {
                events.on(new ListenerEvent.ApiCall(
                        "ReceiveMessage", 0, overdue.longest(), ReceiveOutage.NO_RESPONSE.code()));
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

    private final class Work implements Valve.Work {

        @Override
        public void receive(Poller poller, int asked) throws InterruptedException {
            int ignored = Fetcher.this.receive(poller, asked);
        }

        @Override
        public void memoryIsExhausted() {
            whenMemoryIsExhausted.run();
        }
    }

    /**
     * One receive on the calling thread with the permits that are free right now, for those who step the engine manually.
     *
     * @return how many messages it brought into flight
     */
    public int pollOnce() throws InterruptedException {
        Poller poller = valve.beginHere();
        if (poller == null) {
            return 0;
        }
        try {
            return receive(poller, poller.permits());
        } finally {
            valve.retire(poller);
        }
    }

    /**
     * One receive of a poller that has begun it.
     *
     * @return how many messages it brought into flight
     */
    private int receive(Poller poller, int asked) throws InterruptedException {
        OpenReceive receive = Objects.requireNonNull(poller.open());
        long calledAt = receive.calledAt();
        ReceiveCall call = new ReceiveCall(
                source.queue(), asked, receive.waitTime(), source.lease(), poller.memory.attemptId(calledAt));
        ForeignCode.Outcome<List<ReceivedMessage>> outcome =
                ForeignCode.call(() -> Objects.requireNonNull(client.receive(call)));
        List<ReceivedMessage> messages = outcome.value();
        if (messages == null) {
            failed(poller, Objects.requireNonNull(outcome.failure()), asked, calledAt);
            return 0;
        }
        long took = time.nanos() - calledAt;
        Valve.Ended ended = valve.endSucceeded(poller, messages.size(), asked, receive.waitTime(), took, age(messages));
        if (ended.abandoned() && ended.stopped()) {
            intake.takeAfterStop(source.queue(), messages);
            return 0;
        }
        if (ended.abandoned()) {
            intake.takeLate(messages, receive);
            return 0;
        }
        int kept = intake.take(messages, ended.permits(), receive, Duration.ofNanos(took));
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
        } catch (RuntimeException e) {
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
        if (!valve.endFailed(poller, asked)) {
            return;
        }
        ReceiveFailure failure = ReceiveFailure.of(e);
        Duration took = Duration.ofNanos(now - calledAt);
        if (poller.wasOverdue() && SqsErrors.isSilence(failure.code())) { // it is recorded
            logOverdue(0, took);
        } else {
            events.on(new ListenerEvent.ApiCall("ReceiveMessage", 0, took, failure.code()));
            outageLog.failed(failure.code(), SafeThrowable.message(e));
        }
        valve.publish(poller, e, failure, calledAt, now);
        if (e instanceof Error) {
            log.error("Listener {}: a receive failed; it is tried again", source.listener(), e);
            events.on(new ListenerEvent.Unexpected(EngineStage.FETCH.text(), e));
        }
    }
}
