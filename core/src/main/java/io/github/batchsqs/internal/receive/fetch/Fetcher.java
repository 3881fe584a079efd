/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.listener.ReceiveFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receives of the pollers that the {@link Valve} lets receive: each takes what it brings into the ledger and hands it over.
 *
 * <p>A failed receive backs off, 200 ms at first and at most 2 s, with jitter, or as long as its response asks for, and drops nothing that
 * others brought. One that fails again retires a poller, so that an outage costs about a call a second where the number of pollers is not
 * fixed, and its end is noticed within three seconds. A poller never waits for a handler, only for a {@link Reason}.
 *
 * <p>Each call costs money, so receives are spaced while messages arrive steadily: see {@link ReceiveSpacing}. And a
 * poller whose long poll is empty before half of its wait time pauses, 100 ms at first, twice as long after each
 * further one, at most the wait time and 2 s.
 *
 * <p>Safe for use by any thread.
 */
public final class Fetcher implements Valve.Work {

    private static final Logger log = LoggerFactory.getLogger(Fetcher.class);

    /** So many empty responses in a row of one poller, each long before its wait time, are no chance. */
    private static final int EARLY_RESPONSES_TO_LOG = 5;

    private final ListenerQueue source;
    private final InFlightLimit limit;
    private final InFlightLedger ledger;
    private final Consumer<InFlightLedger.Received> handover;
    private final OutageLog outageLog;
    private final OncePerMinute earlyLine;

    /**
     * Makes the fetcher.
     *
     * @param handover takes what a receive brought, on the thread of its poller
     */
    public Fetcher(
            ListenerQueue source,
            InFlightLimit limit,
            InFlightLedger ledger,
            Consumer<InFlightLedger.Received> handover) {
        this.source = source;
        this.limit = limit;
        this.ledger = ledger;
        this.handover = handover;
        this.earlyLine = new OncePerMinute(source.time());
        this.outageLog = new OutageLog(
                log,
                source.time(),
                "Listener " + source.listener() + ": receiving from " + source.name(),
                code -> source.events().on(new ListenerEvent.ReceivesFailing(code)),
                length -> source.events().on(new ListenerEvent.ReceivesRecovered(length)));
    }

    @Override
    public void receive(Valve valve, Poller poller, OpenReceive receive) {
        long calledAt = receive.calledAt();
        ReceiveCall call = new ReceiveCall(
                source.queue(), receive.asked(), receive.waitTime(), source.lease(), poller.attemptId(calledAt));
        ForeignCode.Outcome<List<ReceivedMessage>> outcome =
                ForeignCode.call(() -> Objects.requireNonNull(source.client().receive(call)));
        List<ReceivedMessage> messages = outcome.value();
        if (messages == null) {
            failed(valve, poller, Objects.requireNonNull(outcome.failure()), receive);
            return;
        }
        long took = source.time().nanos() - calledAt;
        int permits = valve.endSucceeded(poller, receive, messages.size(), took, age(messages));
        if (permits == 0) {
            return; // a halt did not wait for it: what it brought comes back by its visibility timeout
        }
        take(messages, permits, receive, Duration.ofNanos(took));
        poller.handedOver();
        outageLog.succeeded(calledAt);
        if (poller.earlyResponses() >= EARLY_RESPONSES_TO_LOG && earlyLine.due()) {
            logEarly(poller.earlyResponses(), receive.waitTime(), took);
        }
    }

    /** Takes what a receive brought into flight. The permits that its messages do not need are free afterwards. */
    private void take(List<ReceivedMessage> messages, int permits, OpenReceive receive, Duration took) {
        InFlightLedger.Received received = ledger.receive(messages, receive.calledAt(), receive.waitTime());
        limit.settleReceive(permits, received.kept(), received.bytes());
        source.events().on(new ListenerEvent.ApiCall("ReceiveMessage", messages.size(), took, null));
        for (int i = 0; i < received.leasesLost(); i++) {
            source.events().on(new ListenerEvent.LeaseLost());
        }
        handover.accept(received);
    }

    /** Returns how long ago SQS accepted the last of the messages, in nanoseconds. */
    private long age(List<ReceivedMessage> messages) {
        return messages.isEmpty() || messages.getLast().systemAttribute("SentTimestamp") == null
                ? ReceiveSpacing.UNKNOWN_AGE
                : TimeUnit.MILLISECONDS.toNanos(source.time().now().toEpochMilli()
                        - messages.getLast().sentAt().toEpochMilli());
    }

    private void logEarly(int receives, Duration waitTime, long took) {
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

    private void failed(Valve valve, Poller poller, Throwable e, OpenReceive receive) {
        long calledAt = receive.calledAt();
        long now = source.time().nanos();
        if (!valve.endFailed(poller, receive.asked())) {
            return;
        }
        ReceiveFailure failure = ReceiveFailure.of(e);
        Duration took = Duration.ofNanos(now - calledAt);
        source.events().on(new ListenerEvent.ApiCall("ReceiveMessage", 0, took, failure.code()));
        outageLog.failed(failure.code(), e.getMessage(), 1, SqsErrors.isSilence(failure.code()) ? took : Duration.ZERO);
        valve.publish(poller, e, failure, calledAt, now);
        if (e instanceof Error) {
            log.error("Listener {}: a receive failed; it is tried again", source.listener(), e);
            source.events().on(new ListenerEvent.Unexpected(EngineStage.FETCH.text(), e));
        }
    }
}
