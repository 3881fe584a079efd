/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.settle;

import io.github.batchsqs.batch.BatchCall;
import io.github.batchsqs.batch.BatchEntry;
import io.github.batchsqs.batch.Batcher;
import io.github.batchsqs.batch.EntryFailedException;
import io.github.batchsqs.batch.EntryResult;
import io.github.batchsqs.batch.SettledEntry;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.InFlightLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The visibility accumulator: messages that are given back and leases that are extended share
 * {@code ChangeMessageVisibilityBatch} calls. Messages of one lane (FIFO group) are given back in the order that was
 * asked for, one call at a time.
 */
final class VisibilityChanger {

    private static final Logger log = LoggerFactory.getLogger(VisibilityChanger.class);
    private static final long HEARTBEAT_NANOS = Duration.ofSeconds(5).toNanos();

    private final SettleSettings settings;
    private final Calls calls;
    private final InFlightLedger ledger;
    private final Batcher<Change, Void> batcher;

    VisibilityChanger(SettleSettings settings, Calls calls, InFlightLedger ledger) {
        this.settings = settings;
        this.calls = calls;
        this.ledger = ledger;
        this.batcher = calls.batcher(settings, new Call());
    }

    private record Change(Delivery delivery, Duration timeout, boolean release) {}

    Batcher<?, Void> batcher() {
        return batcher;
    }

    /** Gives messages back whose settlement was granted, in this order. */
    List<CompletableFuture<Void>> release(List<Delivery> deliveries, Duration after) {
        List<BatchEntry<Change>> entries = new ArrayList<>(deliveries.size());
        deliveries.forEach(delivery -> entries.add(
                new BatchEntry<>(new Change(delivery, after, true), 1, delivery.lane(), delivery.leaseUntil())));
        return batcher.addAll(entries);
    }

    /** Extends leases whose heartbeat was begun, and ends it for each. */
    void extend(List<Delivery> deliveries, Duration lease) {
        long now = calls.time().nanos();
        List<BatchEntry<Change>> entries = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            long deadline = now + Math.min(HEARTBEAT_NANOS, Math.max(1, delivery.leaseUntil() - now));
            entries.add(new BatchEntry<>(new Change(delivery, lease, false), 1, null, deadline));
        }
        List<CompletableFuture<Void>> ignored = batcher.addAll(entries); // the call is told what became of them
    }

    private final class Call implements BatchCall<Change, Void> {

        @Override
        public List<EntryResult<Void>> call(List<Change> changes) throws InterruptedException {
            return makeCall(changes);
        }

        @Override
        public void settled(List<? extends SettledEntry<Change, Void>> changes) {
            List<Delivery> notReleased = new ArrayList<>(0);
            Throwable reason = null;
            for (SettledEntry<Change, Void> each : changes) {
                Change change = each.entry();
                Throwable failure = each.cause();
                if (failure != null && change.release()) {
                    notReleased.add(change.delivery());
                    reason = failure;
                } else if (failure != null) {
                    notExtended(change.delivery(), failure);
                }
                if (!change.release()) {
                    change.delivery().endHeartbeat();
                }
            }
            if (reason != null) {
                notReleased(notReleased, reason);
            }
        }
    }

    private List<EntryResult<Void>> makeCall(List<Change> changes) throws InterruptedException {
        long calledAt = calls.time().nanos();
        List<VisibilityChange> entries = new ArrayList<>(changes.size());
        List<Delivery> releasing = new ArrayList<>(changes.size());
        for (Change change : changes) {
            entries.add(new VisibilityChange(change.delivery().receiptHandle(), change.timeout()));
            if (change.release()) {
                releasing.add(change.delivery());
            }
        }
        // From here on SQS may deliver them again, to this very listener.
        ledger.forget(releasing);
        List<EntryResult<Void>> results = new ArrayList<>(calls.<Void>tell(
                "ChangeMessageVisibilityBatch",
                entries.size(),
                () -> calls.client().changeVisibility(settings.queue(), entries)));
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) instanceof EntryResult.Rejected<Void>
                    && !changes.get(i)
                            .delivery()
                            .receiptHandle()
                            .equals(entries.get(i).receiptHandle())) {
                results.set(
                        i,
                        new EntryResult.Rejected<>("ReceivedAgain", "the message was received again meanwhile", true));
            }
        }
        accepted(changes, results, calledAt);
        return results;
    }

    private void accepted(List<Change> changes, List<EntryResult<Void>> results, long calledAt) {
        List<Delivery> released = new ArrayList<>(changes.size());
        int extended = 0;
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) instanceof EntryResult.Accepted<Void>) {
                Change change = changes.get(i);
                if (change.release()) {
                    released.add(change.delivery());
                } else {
                    change.delivery().extended(calledAt + change.timeout().toNanos());
                    extended++;
                }
            }
        }
        if (!released.isEmpty()) {
            ledger.gone(released);
            calls.events().released(released.size());
        }
        if (extended > 0) {
            calls.events().leaseExtended(extended);
        }
    }

    private void notReleased(List<Delivery> deliveries, Throwable reason) {
        ledger.gone(deliveries);
        log.warn(
                "Listener {}: {} of {} could not be given back ({}); what was not comes back when its visibility timeout"
                        + " ends",
                settings.listener(),
                MessageIds.of(deliveries),
                settings.queue().name(),
                reason.getMessage());
    }

    private void notExtended(Delivery delivery, Throwable failure) {
        boolean refused = failure instanceof EntryFailedException entry && !Batcher.OWN_CODES.contains(entry.code());
        if (refused && delivery.loseLease()) {
            calls.events().leaseLost();
            log.warn(
                    "Listener {}: the lease of message {} of {} is lost ({}); it may be handled elsewhere too",
                    settings.listener(),
                    delivery.message().id(),
                    settings.queue().name(),
                    failure.getMessage());
        }
    }
}
