/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.batch.BatchEntry;
import io.github.batchsqs.internal.batch.SettledEntry;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.payload.PayloadStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delete accumulator: messages of many batches share {@code DeleteMessageBatch} calls.
 *
 * <p>A delete carries the newest receipt handle at the time of its call. If the message was received again while the call
 * was under way, SQS may have accepted the old handle without deleting, or refused it, so the delete is made again with the
 * new one. A delete is tried until the message's lease ends, that of such a receive included; then the message is remembered as handled,
 * for it will come again.
 */
final class Deleter extends Accumulator<Delivery, Void> {

    private static final Logger log = LoggerFactory.getLogger(Deleter.class);

    /** A delete gets this long even if its lease ends sooner: on a standard queue it may still succeed. */
    private static final long LEAST_NANOS = Duration.ofSeconds(5).toNanos();

    private static final Kind KIND = new Kind(
            "DeleteMessageBatch",
            "deleting messages of",
            "handled but not deleted",
            "what comes again is deleted, not run",
            new FailingCalls.Meaning("delete", "handled messages are delivered again", "sqs:DeleteMessage"),
            log);

    private final InFlightLedger ledger;
    private final VisibilityChanger changer;

    Deleter(ListenerQueue source, Executor threads, InFlightLedger ledger, VisibilityChanger changer) {
        super(KIND, source.queue(), source, threads);
        this.ledger = ledger;
        this.changer = changer;
    }

    /** Deletes messages that the caller has claimed. */
    void delete(List<Delivery> deliveries) {
        if (deliveries.isEmpty()) {
            return;
        }
        long leastUntil = source.time().nanos() + LEAST_NANOS;
        List<BatchEntry<Delivery>> entries = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            entries.add(new BatchEntry<>(delivery, 1, null, deadline(delivery, leastUntil)));
        }
        batcher().addAll(entries);
    }

    @Override
    public List<EntryResult<Void>> call(List<Delivery> deliveries) throws InterruptedException {
        List<String> handles = deliveries.stream().map(Delivery::receiptHandle).toList();
        List<EntryResult<Void>> results =
                new ArrayList<>(make(handles.size(), () -> source.client().delete(source.queue(), handles)));
        List<Delivery> deleted = new ArrayList<>(deliveries.size());
        for (int i = 0; i < results.size(); i++) {
            if (!deliveries.get(i).receiptHandle().equals(handles.get(i))) {
                results.set(i, receivedAgain());
            } else if (results.get(i) instanceof EntryResult.Accepted<Void>) {
                deleted.add(deliveries.get(i));
            }
        }
        follow(() -> {
            ledger.deleted(deleted);
            source.events().on(new ListenerEvent.Acknowledged(deleted.size()));
        });
        PayloadStore payloads = source.payloads();
        Throwable failure = payloads == null || deleted.isEmpty()
                ? null
                : ForeignCode.run(() -> payloads.deleted(source.name(), withoutDeadLetters(deleted)));
        if (failure != null) {
            log.error(
                    "Listener {}: payloads of deleted messages of {} may remain",
                    source.listener(),
                    source.name(),
                    failure);
        }
        return results;
    }

    /** The payloads of dead letters are still needed. */
    private static List<ReceivedMessage> withoutDeadLetters(List<Delivery> deleted) {
        return deleted.stream()
                .filter(delivery -> !delivery.isDeadLettered())
                .map(Delivery::message)
                .toList();
    }

    /** A second receive may have brought a new lease. */
    @Override
    public long deadline(Delivery delivery, long passed) {
        return Math.max(delivery.leaseUntil() - passed, 0) + passed;
    }

    @Override
    public void deliver(SettledEntry<Delivery, Void> settled) {
        complete(settled.entry().manualSettlement(), settled.cause());
    }

    @Override
    public void settled(List<? extends SettledEntry<Delivery, Void>> deliveries) {
        List<Delivery> notDeleted = new ArrayList<>(0);
        Throwable reason = null;
        for (SettledEntry<Delivery, Void> each : deliveries) {
            if (each.cause() != null) {
                notDeleted.add(each.entry());
                reason = each.cause();
            }
        }
        if (reason == null) {
            return;
        }
        follow(() -> {
            changer.returnNow(changer.lose(notDeleted)); // before their groups may go on
            ledger.notDeleted(notDeleted);
            notDeleted.forEach(delivery -> source.events().on(new ListenerEvent.AcknowledgeFailed()));
        });
        gaveUp(notDeleted, reason);
    }
}
