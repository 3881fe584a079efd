/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.settle;

import io.github.batchsqs.batch.BatchCall;
import io.github.batchsqs.batch.BatchEntry;
import io.github.batchsqs.batch.Batcher;
import io.github.batchsqs.batch.EntryResult;
import io.github.batchsqs.batch.SettledEntry;
import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.InFlightLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delete accumulator: messages of many batches share {@code DeleteMessageBatch} calls.
 *
 * <p>A delete carries the newest receipt handle at the time of its call. If the message was received again while the call
 * was under way, SQS may have accepted the old handle without deleting, or refused it, so the delete is made again with the
 * new one. A delete is tried until the message's lease ends; then the message is remembered as handled, for it will come again.
 */
final class Deleter {

    private static final Logger log = LoggerFactory.getLogger(Deleter.class);

    /** A delete gets this long even if its lease ends sooner: on a standard queue it may still succeed. */
    private static final long LEAST_NANOS = Duration.ofSeconds(5).toNanos();

    private final SettleSettings settings;
    private final Calls calls;
    private final InFlightLedger ledger;
    private final Batcher<Delivery, Void> batcher;

    Deleter(SettleSettings settings, Calls calls, InFlightLedger ledger) {
        this.settings = settings;
        this.calls = calls;
        this.ledger = ledger;
        this.batcher = calls.batcher(settings, new Call());
    }

    Batcher<Delivery, Void> batcher() {
        return batcher;
    }

    /** Deletes messages whose settlement was granted. The promises complete when SQS accepted, or when it is given up. */
    List<CompletableFuture<Void>> delete(List<Delivery> deliveries) {
        if (deliveries.isEmpty()) {
            return List.of();
        }
        long leastUntil = calls.time().nanos() + LEAST_NANOS;
        List<BatchEntry<Delivery>> entries = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            long deadline = Math.max(delivery.leaseUntil() - leastUntil, 0) + leastUntil;
            entries.add(new BatchEntry<>(delivery, 1, null, deadline));
        }
        return batcher.addAll(entries);
    }

    private final class Call implements BatchCall<Delivery, Void> {

        @Override
        public List<EntryResult<Void>> call(List<Delivery> deliveries) throws InterruptedException {
            return makeCall(deliveries);
        }

        @Override
        public void settled(List<? extends SettledEntry<Delivery, Void>> deliveries) {
            List<Delivery> notDeleted = new ArrayList<>(0);
            Throwable reason = null;
            for (SettledEntry<Delivery, Void> each : deliveries) {
                Throwable failure = each.cause();
                if (failure != null) {
                    notDeleted.add(each.entry());
                    reason = failure;
                }
            }
            if (reason != null) {
                gaveUp(notDeleted, reason);
            }
        }
    }

    private List<EntryResult<Void>> makeCall(List<Delivery> deliveries) throws InterruptedException {
        List<String> handles = deliveries.stream().map(Delivery::receiptHandle).toList();
        List<EntryResult<Void>> results = new ArrayList<>(calls.<Void>tell(
                "DeleteMessageBatch", handles.size(), () -> calls.client().delete(settings.queue(), handles)));
        List<Delivery> deleted = new ArrayList<>(deliveries.size());
        for (int i = 0; i < results.size(); i++) {
            if (!deliveries.get(i).receiptHandle().equals(handles.get(i))) {
                results.set(
                        i,
                        new EntryResult.Rejected<>("ReceivedAgain", "the message was received again meanwhile", true));
            } else if (results.get(i) instanceof EntryResult.Accepted<Void>) {
                deleted.add(deliveries.get(i));
            }
        }
        ledger.gone(deleted);
        calls.events().acknowledged(deleted.size());
        return results;
    }

    private void gaveUp(List<Delivery> deliveries, Throwable reason) {
        for (Delivery delivery : deliveries) {
            ledger.rememberHandled(delivery);
            calls.events().acknowledgeFailed();
        }
        ledger.gone(deliveries);
        log.warn(
                "Listener {}: {} of {} handled but not deleted ({}); what comes again is deleted, not run",
                settings.listener(),
                MessageIds.of(deliveries),
                settings.queue().name(),
                reason.getMessage());
    }
}
