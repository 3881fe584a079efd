/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.KeptFuture;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.send.StoredMessage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.internal.support.UserInformation;
import io.github.batchsqs.jdbc.internal.JdbcThreads;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends rows, and turns each result into an {@link Outcome}. They go to the sender on a thread per destination, which
 * may have to wait for its queue; results arrive on the threads of calls.
 */
final class RowSender {

    private static final Logger log = LoggerFactory.getLogger(RowSender.class);

    private final Sender sender;
    private final RowsInFlight inFlight;
    private final WaitingFutures futures;
    private final OutboxMeters meters;
    private final Consumer<Outcome> outcomes;
    private final TimeSource time;
    private final ConcurrentMap<Destination, OutageLog> outages = new ConcurrentHashMap<>();

    /** @param outcomes is told what becomes of each row, on any thread */
    RowSender(
            Sender sender,
            RowsInFlight inFlight,
            WaitingFutures futures,
            OutboxMeters meters,
            Consumer<Outcome> outcomes,
            TimeSource time) {
        this.sender = sender;
        this.inFlight = inFlight;
        this.futures = futures;
        this.meters = meters;
        this.outcomes = outcomes;
        this.time = time;
    }

    /** Sends the rows that can be read, and refuses the others for good. */
    void send(List<OutboxRow> rows) {
        sendReadable(rows.stream().filter(each -> each.unreadable() == null).toList());
        for (OutboxRow row : rows) {
            String reason = row.unreadable();
            if (reason != null) {
                unreadable(row, reason);
            }
        }
    }

    /** Refuses a row that cannot be read for good. Not on this thread, because callbacks may block. */
    private void unreadable(OutboxRow row, String reason) {
        KeptFuture future = refuse(row, reason);
        if (future != null) {
            var failure = new IllegalStateException("The message was not sent: " + reason);
            Thread unused = JdbcThreads.start("outbox-callbacks", () -> future.failed(failure));
        }
    }

    private void sendReadable(List<OutboxRow> rows) {
        Map<Destination, List<OutboxRow>> byDestination = new LinkedHashMap<>();
        rows.forEach(row -> byDestination
                .computeIfAbsent(row.destination(), key -> new ArrayList<>())
                .add(row));
        byDestination.forEach((destination, some) -> {
            Throwable noThread = ForeignCode.run(() -> JdbcThreads.start("outbox-send", () -> send(destination, some)));
            if (noThread != null) {
                some.forEach(row -> failed(row, noThread));
            }
        });
    }

    private void send(Destination destination, List<OutboxRow> rows) {
        List<StoredMessage> messages = rows.stream().map(OutboxRow::message).toList();
        var called = ForeignCode.call(() -> sender.send(destination.client(), messages));
        List<CompletableFuture<SendResult>> sent = called.value();
        if (sent == null) { // there is no such client here, for example
            Throwable failure = Objects.requireNonNull(called.failure());
            rows.forEach(row -> failed(row, failure));
            return;
        }
        for (int i = 0; i < rows.size(); i++) {
            OutboxRow row = rows.get(i);
            var unused = sent.get(i).whenComplete((result, failure) -> ended(row, result, failure));
        }
    }

    /** A message was sent, or failed. On a thread of the call, on which callbacks of its future then run. */
    private void ended(OutboxRow row, @Nullable SendResult result, @Nullable Throwable failure) {
        if (result == null) {
            failed(row, failure == null ? new IllegalStateException("There is no result") : failure);
            return;
        }
        works(row.destination());
        outcomes.accept(new Outcome.Accepted(row));
        KeptFuture future = futures.remove(row.messageKey());
        if (future != null) {
            future.accepted(result);
        }
    }

    private void failed(OutboxRow row, Throwable failure) {
        String error = String.valueOf(ForeignCode.readable(failure).getMessage());
        if (isFinal(failure)) {
            works(row.destination());
            refused(row, error, failure);
        } else if (failure instanceof SendFailedException behind
                && behind.code().equals(Outbox.BEHIND_UNSENT)) {
            outcomes.accept(
                    new Outcome.Later(row, time.nanos(), row.attempts(), error)); // the row ahead of it has to wait
        } else {
            inFlight.fails(row.destination(), RowsInFlight.millis(time));
            outages.computeIfAbsent(row.destination(), this::outage)
                    .failed(failure instanceof SendFailedException known ? known.code() : "Failed", error);
            int attempts = row.attempts() + 1;
            long pause = TimeUnit.MILLISECONDS.toNanos(RowsInFlight.pause(attempts));
            outcomes.accept(new Outcome.Later(row, time.nanos() + pause, attempts, error));
            meters.retried(row.destination());
        }
    }

    private OutageLog outage(Destination destination) {
        return new OutageLog(
                log,
                time,
                "Outbox: sending to the queue " + UserInformation.mask(destination.queue()) + " of the client "
                        + destination.client());
    }

    private void works(Destination destination) {
        inFlight.works(destination);
        OutageLog outage = outages.remove(destination);
        if (outage != null) {
            outage.succeeded();
        }
    }

    private void refused(OutboxRow row, String error, Throwable failure) {
        KeptFuture future = refuse(row, error);
        if (future != null) {
            future.failed(failure);
        }
    }

    /** Returns the future, if it waits here. */
    private @Nullable KeptFuture refuse(OutboxRow row, String error) {
        outcomes.accept(new Outcome.Refused(row, error));
        meters.refused(row.destination());
        return futures.remove(row.messageKey());
    }

    private static boolean isFinal(Throwable failure) {
        return failure instanceof SendFailedException known && !Outbox.isSentAgain(known);
    }
}
