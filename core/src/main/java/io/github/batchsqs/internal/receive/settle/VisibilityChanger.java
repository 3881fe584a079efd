/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.batch.BatchCall;
import io.github.batchsqs.internal.batch.BatchEntry;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.batch.EntryFailedException;
import io.github.batchsqs.internal.batch.SettledEntry;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.OncePerMinute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The visibility accumulator: messages that return to the queue (releases) and leases that are extended (heartbeats, and the
 * handler's own changes) share {@code ChangeMessageVisibilityBatch} calls.
 *
 * <p>The changes of one message, and on a FIFO queue those of one message group, go out in the order in which they were
 * asked for, one call at a time. So a release follows a heartbeat that is under way, and takes the place of one that still
 * waits: a message that is claimed is not extended any more. Deletes do not come this way and wait for nothing: SQS takes
 * a delete during a heartbeat, and refuses a heartbeat after a delete, which says nothing about the lease.
 *
 * <p>An extension never shortens a lease, whatever was asked for first: one that would end before the present lease is not made,
 * and of several in one call the longest counts.
 */
final class VisibilityChanger {

    private static final Logger log = LoggerFactory.getLogger(VisibilityChanger.class);

    private static final long HEARTBEAT_NANOS = Duration.ofSeconds(5).toNanos();

    private static final Accumulator.Kind KIND = new Accumulator.Kind(
            "ChangeMessageVisibilityBatch",
            "changing the visibility of messages of",
            "could not be returned to the queue",
            "they are visible again when their visibility timeout ends",
            log);

    private final ListenerQueue source;
    private final Calls calls;
    private final InFlightLedger ledger;
    private final Accumulator<Change, Void> accumulator;
    private final OncePerMinute lostLeases;

    VisibilityChanger(ListenerQueue source, Calls calls, InFlightLedger ledger) {
        this.source = source;
        this.calls = calls;
        this.ledger = ledger;
        this.lostLeases = new OncePerMinute(calls.time());
        this.accumulator =
                new Accumulator<>(KIND, source, source.queue(), calls, calls.visibilityThreads(), new Call());
    }

    /**
     * A release, a heartbeat or a change of the handler.
     *
     * @param release whether the message returns to the queue
     * @param chosen the time that the handler chose, or {@code null} if it is not the handler's change
     */
    private record Change(
            Delivery delivery,
            Duration timeout,
            boolean release,
            @Nullable Long chosen) {

        boolean isHeartbeat() {
            return !release && chosen == null;
        }

        /** A message that was claimed since is not extended: its release or its delete follows. */
        boolean stillWanted(long now) {
            return release || (delivery.unsettled() && !shortens(now));
        }

        /** Returns whether it would shorten the lease, or the one that the handler chose, perhaps in the same call. */
        private boolean shortens(long now) {
            long nanos = timeoutAt(now).toNanos();
            Long visibleFrom = delivery.visibleFrom();
            return delivery.leaseAtLeastUntil() - now >= nanos
                    || (isHeartbeat() && visibleFrom != null && visibleFrom - now > nanos);
        }

        /**
         * SQS refuses a timeout beyond the longest, and the message would stay hidden until its lease ends. A time of the handler
         * between the two possible ends of the lease is replaced by the later one, because the call would shorten the lease.
         */
        Duration timeoutAt(long now) {
            Duration longest = delivery.longestVisibility(now);
            Duration wanted = timeout;
            if (chosen != null && delivery.leaseUntil() - now > wanted.toNanos()) {
                wanted = Duration.ofNanos(delivery.leaseUntil() - now);
            }
            return wanted.compareTo(longest) < 0 ? wanted : longest;
        }
    }

    Accumulator<?, Void> accumulator() {
        return accumulator;
    }

    /** Returns messages to the queue that the caller has claimed, in this order. */
    List<CompletableFuture<Void>> release(List<Delivery> deliveries, Duration after) {
        return change(deliveries, after, true, null);
    }

    /**
     * Extends leases for the handler, beyond their present end.
     *
     * @param until the time that the handler chose
     */
    List<CompletableFuture<Void>> hide(List<Delivery> deliveries, Duration timeout, long until) {
        return change(deliveries, timeout, false, until);
    }

    /** Extends leases whose heartbeat was begun, and ends it for each. */
    void extend(List<Delivery> deliveries, Duration lease) {
        List<CompletableFuture<Void>> ignored = change(deliveries, lease, false, null); // the call gets the results
    }

    private List<CompletableFuture<Void>> change(
            List<Delivery> deliveries, Duration timeout, boolean release, @Nullable Long chosen) {
        long now = calls.time().nanos();
        List<BatchEntry<Change>> entries = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            entries.add(new BatchEntry<>(
                    new Change(delivery, timeout, release, chosen),
                    1,
                    orderOf(delivery),
                    release ? delivery.leaseUntil() : deadline(delivery, now)));
        }
        return accumulator.addAll(entries);
    }

    /** An extension that takes longer is given up, so that the next heartbeat can do better. */
    private static long deadline(Delivery delivery, long now) {
        return now + Math.min(HEARTBEAT_NANOS, Math.max(1, delivery.leaseUntil() - now));
    }

    /** Changes with equal keys keep their order. */
    private static Object orderOf(Delivery delivery) {
        String group = delivery.group();
        return group != null ? group : delivery.message().id();
    }

    private final class Call implements BatchCall<Change, Void> {

        @Override
        public List<EntryResult<Void>> call(List<Change> changes) throws InterruptedException {
            Set<Change> wanted = new LinkedHashSet<>();
            List<@Nullable Change> made = new ArrayList<>(changes.size());
            long now = calls.time().nanos();
            for (Change change : changes) {
                Change instead = change.stillWanted(now) ? longest(changes, change, now) : null;
                made.add(instead);
                if (instead != null) {
                    wanted.add(instead);
                }
            }
            if (wanted.size() == changes.size()) {
                return makeCall(changes);
            }
            List<Change> some = List.copyOf(wanted);
            List<EntryResult<Void>> results = some.isEmpty() ? List.of() : makeCall(some);
            return made.stream()
                    .map(each -> each == null ? Batcher.<Void>leftOut() : results.get(some.indexOf(each)))
                    .toList();
        }

        /** Returns the longest of the extensions of the same message in this call, of which SQS would take any last. */
        private static Change longest(List<Change> changes, Change one, long now) {
            Change longest = one;
            for (Change other : changes) {
                if (other.delivery() == one.delivery()
                        && other.timeout().compareTo(longest.timeout()) > 0
                        && other.stillWanted(now)) {
                    longest = other;
                }
            }
            return longest;
        }

        @Override
        public void settled(List<? extends SettledEntry<Change, Void>> changes) {
            List<Delivery> notReleased = new ArrayList<>(0);
            List<Delivery> lost = new ArrayList<>(0);
            Throwable reason = null;
            for (SettledEntry<Change, Void> each : changes) {
                Change change = each.entry();
                Throwable failure = each.cause();
                if (failure != null) {
                    reason = failure;
                    failed(change, failure, notReleased, lost);
                }
                if (change.isHeartbeat()) {
                    change.delivery().endHeartbeat();
                }
            }
            if (reason != null) {
                gaveUp(notReleased, lost, reason);
            }
        }
    }

    /** The future of a handler's change reports the failure, and heartbeats go on. */
    private static void failed(Change change, Throwable failure, List<Delivery> notReleased, List<Delivery> lost) {
        Delivery delivery = change.delivery();
        if (change.release()) {
            notReleased.add(delivery);
            return;
        }
        if (change.chosen() != null && change.chosen().equals(delivery.visibleFrom())) {
            delivery.visibleFrom(null); // else the handler chose another time since
        }
        if (failure instanceof EntryFailedException refused && leaseLost(delivery, refused)) {
            lost.add(delivery);
        }
    }

    private List<EntryResult<Void>> makeCall(List<Change> changes) throws InterruptedException {
        long calledAt = calls.time().nanos();
        List<VisibilityChange> entries = new ArrayList<>(changes.size());
        List<Delivery> releasing = new ArrayList<>(changes.size());
        for (Change change : changes) {
            entries.add(new VisibilityChange(change.delivery().receiptHandle(), change.timeoutAt(calledAt)));
            if (change.release()) {
                releasing.add(change.delivery());
            }
        }
        // From here on SQS may deliver them again, to this very listener.
        ledger.treatAsNew(releasing);
        List<EntryResult<Void>> results = new ArrayList<>(
                accumulator.make(entries.size(), () -> calls.client().changeVisibility(source.queue(), entries)));
        for (int i = 0; i < results.size(); i++) {
            String newest = changes.get(i).delivery().receiptHandle();
            if (!newest.equals(entries.get(i).receiptHandle())) {
                results.set(i, accumulator.receivedAgain()); // what SQS has accepted was for the receive before
            }
        }
        accepted(changes, entries, results, calledAt);
        return results;
    }

    private void accepted(
            List<Change> changes, List<VisibilityChange> entries, List<EntryResult<Void>> results, long calledAt) {
        List<Delivery> released = new ArrayList<>(changes.size());
        int extended = 0;
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) instanceof EntryResult.Accepted<Void>) {
                Change change = changes.get(i);
                if (change.release()) {
                    released.add(change.delivery());
                } else {
                    change.delivery()
                            .extended(calledAt + entries.get(i).timeout().toNanos());
                    extended++;
                }
            }
        }
        if (!released.isEmpty()) {
            calls.follow(() -> ledger.untrack(released));
            calls.events().on(new ListenerEvent.Released(released.size()));
        }
        if (extended > 0) {
            calls.events().on(new ListenerEvent.LeaseExtended(extended));
        }
    }

    private void gaveUp(List<Delivery> notReleased, List<Delivery> lost, Throwable reason) {
        if (!notReleased.isEmpty()) {
            calls.follow(() -> ledger.untrack(notReleased));
            accumulator.gaveUp(notReleased, reason);
        }
        lost.forEach(delivery -> calls.events().on(new ListenerEvent.LeaseLost()));
        String more = lost.isEmpty() ? null : lostLeases.record(lost.size());
        if (more != null) {
            log.warn(
                    "Listener {}: lost the lease of {} of {} ({}); another instance may handle them too. If this recurs,"
                            + " raise visibility.timeout, because a pause of the process or of the network lasted too long{}",
                    source.listener(),
                    Accumulator.named(lost),
                    source.name(),
                    reason.getMessage(),
                    more);
        }
    }

    /**
     * Whether the refusal of a heartbeat is the news that the lease is lost. Where the message is claimed it may be deleted
     * by now, so the refusal says nothing about its lease; neither does a missing permission.
     */
    private static boolean leaseLost(Delivery delivery, EntryFailedException failure) {
        return !EntryFailedException.OWN_CODES.contains(failure.code())
                && !Accumulator.isPermission(failure.code())
                && delivery.unsettled()
                && delivery.loseLease();
    }
}
