/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.batch.BatchCall;
import io.github.batchsqs.internal.batch.BatchEntry;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.batch.EntryFailedException;
import io.github.batchsqs.internal.batch.SettledEntry;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
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
            "visibility-timer",
            "ChangeMessageVisibilityBatch",
            "changing the visibility of messages of",
            "not returned to the queue",
            log);

    private final ListenerQueue source;
    private final Calls calls;
    private final InFlightLedger ledger;
    private final Accumulator<Change, Void> accumulator;

    VisibilityChanger(ListenerQueue source, Calls calls, InFlightLedger ledger) {
        this.source = source;
        this.calls = calls;
        this.ledger = ledger;
        this.accumulator =
                new Accumulator<>(KIND, source, source.queue(), calls, calls.visibilityThreads(), new Call());
    }

    /**
     * A heartbeat of a round, or a release or a change of the handler, which have none.
     *
     * @param release whether the message returns to the queue
     * @param chosen the time that the handler chose, or {@code null} if it is not the handler's change
     */
    private record Change(
            Delivery delivery,
            Duration timeout,
            boolean release,
            @Nullable HeartbeatRound round,
            @Nullable Long chosen) {

        /** A message that was claimed since is not extended: its release or its delete follows. */
        boolean stillWanted(long now) {
            return release || (delivery.unsettled() && !shortens(now));
        }

        /** Returns whether it would shorten the lease, or the one that the handler chose, perhaps in the same call. */
        private boolean shortens(long now) {
            long nanos = timeoutAt(now).toNanos();
            Long visibleFrom = delivery.visibleFrom();
            return delivery.leaseAtLeastUntil() - now >= nanos
                    || (round != null && visibleFrom != null && visibleFrom - now > nanos);
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
        List<BatchEntry<Change>> entries = new ArrayList<>(deliveries.size());
        deliveries.forEach(delivery -> entries.add(new BatchEntry<>(
                new Change(delivery, after, true, null, null), 1, orderOf(delivery), delivery.leaseUntil())));
        return accumulator.addAll(entries);
    }

    /**
     * Extends leases for the handler, beyond their present end.
     *
     * @param until the time that the handler chose
     */
    List<CompletableFuture<Void>> hide(List<Delivery> deliveries, Duration timeout, long until) {
        long now = calls.time().nanos();
        List<BatchEntry<Change>> entries = new ArrayList<>(deliveries.size());
        deliveries.forEach(delivery -> entries.add(new BatchEntry<>(
                new Change(delivery, timeout, false, null, until), 1, orderOf(delivery), deadline(delivery, now))));
        return accumulator.addAll(entries);
    }

    /** Extends leases whose heartbeat was begun, and ends it for each. */
    void extend(List<Delivery> deliveries, Duration lease) {
        long now = calls.time().nanos();
        HeartbeatRound round = new HeartbeatRound(deliveries.size());
        List<BatchEntry<Change>> entries = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            entries.add(new BatchEntry<>(
                    new Change(delivery, lease, false, round, null), 1, orderOf(delivery), deadline(delivery, now)));
        }
        List<CompletableFuture<Void>> ignored = accumulator.addAll(entries); // the call is notified of the results
    }

    /** An extension that takes longer is given up, so that the next heartbeat can do better. */
    private static long deadline(Delivery delivery, long now) {
        return now + Math.min(HEARTBEAT_NANOS, Math.max(1, delivery.leaseUntil() - now));
    }

    /**
     * Changes with equal keys keep their order. A heartbeat whose call hangs is given up, and what follows does not wait for
     * that call.
     */
    private static Object orderOf(Delivery delivery) {
        String group = delivery.group();
        String key = group != null ? group : delivery.message().id();
        int givenUp = delivery.heartbeatsGivenUp();
        return givenUp == 0 ? key : key + '\n' + givenUp;
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
            return wanted.size() == changes.size() ? makeCall(changes) : makeCall(made, List.copyOf(wanted));
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
            Throwable reason = null;
            for (SettledEntry<Change, Void> each : changes) {
                Change change = each.entry();
                Throwable failure = each.cause();
                if (change.round() != null) {
                    heartbeatEnded(change.round(), change.delivery(), failure);
                } else if (failure != null && !change.release()) {
                    notHidden(change, failure);
                } else if (failure != null) {
                    notReleased.add(change.delivery());
                    reason = failure;
                }
            }
            if (reason != null) {
                notReleased(notReleased, reason);
            }
        }
    }

    /**
     * Makes the call for those that are still wanted, and leaves the others out.
     *
     * @param changes the change that is made for each; {@code null} if none is
     */
    private List<EntryResult<Void>> makeCall(List<@Nullable Change> changes, List<Change> wanted)
            throws InterruptedException {
        List<EntryResult<Void>> made = wanted.isEmpty() ? List.of() : makeCall(wanted);
        if (made.size() != wanted.size()) {
            return made; // the batcher refuses it
        }
        List<EntryResult<Void>> results = new ArrayList<>(changes.size());
        for (Change change : changes) {
            results.add(change == null ? Batcher.<Void>leftOut() : made.get(wanted.indexOf(change)));
        }
        return results;
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

    private void notReleased(List<Delivery> deliveries, Throwable reason) {
        calls.follow(() -> ledger.untrack(deliveries));
        if (accumulator.gaveUp(deliveries.size(), reason)) {
            log.warn(
                    "Listener {}: {} of {} could not be returned to the queue ({}); they are visible again when their"
                            + " visibility timeout ends; more are counted once a minute",
                    source.listener(),
                    MessageIds.of(deliveries),
                    source.name(),
                    reason.getMessage());
        }
    }

    private void heartbeatEnded(HeartbeatRound round, Delivery delivery, @Nullable Throwable failure) {
        boolean last;
        if (failure != null && leaseLost(delivery, failure)) {
            last = round.lost(delivery, failure);
        } else {
            last = round.ended();
        }
        delivery.endHeartbeat();
        if (last) {
            round.log(source);
        }
    }

    /** The future of the change reports the failure, and heartbeats go on. */
    private void notHidden(Change change, Throwable failure) {
        Delivery delivery = change.delivery();
        if (Objects.equals(delivery.visibleFrom(), change.chosen())) { // else the handler chose another time since
            delivery.visibleFrom(null);
        }
        if (leaseLost(delivery, failure)) {
            HeartbeatRound alone = new HeartbeatRound(1);
            boolean ignored = alone.lost(delivery, failure);
            alone.log(source);
        }
    }

    /** Records that a lease is lost if this failure of its extension is the news of that; returns whether it is. */
    private boolean leaseLost(Delivery delivery, Throwable failure) {
        boolean news = failure instanceof EntryFailedException refused && lost(delivery, refused);
        if (news) {
            calls.events().on(new ListenerEvent.LeaseLost());
        }
        return news;
    }

    /**
     * Whether the refusal of a heartbeat is the news that the lease is lost. Where the message is claimed it may be deleted
     * by now, so the refusal says nothing about its lease; neither does a missing permission.
     */
    private static boolean lost(Delivery delivery, EntryFailedException failure) {
        if (failure.code().equals(EntryFailedException.DEADLINE_EXCEEDED)) {
            delivery.heartbeatGivenUp();
        }
        return !EntryFailedException.OWN_CODES.contains(failure.code())
                && !CallOutage.isPermission(failure.code())
                && delivery.unsettled()
                && delivery.loseLease();
    }
}
