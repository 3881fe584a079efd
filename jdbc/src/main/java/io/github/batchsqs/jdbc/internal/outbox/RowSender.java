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
import io.github.batchsqs.jdbc.internal.outbox.Outcome.Blame;
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
    private final OwnRows own;
    private final Consumer<Outcome> outcomes;
    private final TimeSource time;
    private final ConcurrentMap<Destination, OutageLog> outages = new ConcurrentHashMap<>();

    /** @param outcomes is told what becomes of each row, on any thread */
    RowSender(Sender sender, OwnRows own, Consumer<Outcome> outcomes, TimeSource time) {
        this.sender = sender;
        this.own = own;
        this.outcomes = outcomes;
        this.time = time;
    }

    void send(List<OutboxRow> rows) {
        Map<Destination, List<OutboxRow>> byDestination = new LinkedHashMap<>();
        rows.forEach(row -> byDestination
                .computeIfAbsent(row.destination(), key -> new ArrayList<>())
                .add(row));
        byDestination.forEach((destination, some) -> {
            JdbcThreads.start("outbox-send", () -> send(destination, some));
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
        } else {
            ended(new Outcome.Accepted(row.candidate()), future -> future.complete(result));
        }
    }

    /** The queue works: the message was accepted, or refused for itself. */
    private void ended(Outcome outcome, Consumer<CompletableFuture<SendResult>> completion) {
        OutageLog outage = outages.remove(outcome.row().destination());
        if (outage != null) {
            outage.succeeded();
        }
        outcomes.accept(outcome);
        KeptFuture future = own.future(outcome.row().id());
        if (future != null) {
            completion.accept(future.future());
        }
    }

    private void failed(OutboxRow row, Throwable failure) {
        String error = String.valueOf(ForeignCode.readable(failure).getMessage());
        String code = failure instanceof SendFailedException known ? known.code() : "Failed";
        if (failure instanceof SendFailedException known && !Outbox.isSentAgain(known)) {
            ended(
                    new Outcome.Refused(row.candidate(), row.attempts() + 1, error),
                    future -> future.completeExceptionally(failure));
        } else if (code.equals(Outbox.BEHIND_UNSENT)) { // the row ahead of it has to wait
            outcomes.accept(new Outcome.Later(row.candidate(), time.nanos(), row.attempts(), Blame.ANOTHER, error));
        } else {
            outages.computeIfAbsent(row.destination(), this::outage).failed(code, error);
            int attempts = row.attempts() + 1;
            long from = time.nanos() + RowsInFlight.pause(attempts);
            Blame blame = failure instanceof SendFailedException known && Outbox.blamesMessage(known)
                    ? Blame.MESSAGE
                    : Blame.QUEUE;
            outcomes.accept(new Outcome.Later(row.candidate(), from, attempts, blame, error));
        }
    }

    private OutageLog outage(Destination destination) {
        return new OutageLog(
                log,
                time,
                "Outbox: sending to the queue " + UserInformation.mask(destination.queue()) + " of the client "
                        + destination.client());
    }
}
