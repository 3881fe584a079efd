/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.batch.BatchCall;
import io.github.batchsqs.internal.batch.BatchEntry;
import io.github.batchsqs.internal.batch.EntryFailedException;
import io.github.batchsqs.internal.batch.SettledEntry;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Groups;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.OncePerMinute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The visibility accumulator: messages that return to the queue (releases) and leases that are extended (heartbeats, and the
 * handler's own changes) share {@code ChangeMessageVisibilityBatch} calls.
 *
 * <p>The changes of one delivery, and on a FIFO queue those of one message group, go out in the order in which they were
 * asked for, one call at a time. So a release follows a heartbeat that is under way, and takes the place of one that still
 * waits: a message that is claimed is not extended any more. They do not wait for a call that carried an extension beyond its deadline: it
 * may hang for good. Deletes do not come this way and wait for nothing: SQS takes
 * a delete during a heartbeat, and refuses a heartbeat after a delete, which says nothing about the lease.
 *
 * <p>Messages return to the queue last first, so that a message group becomes visible in order. What is behind a lost message of its group
 * returns at once: SQS withholds a message as long as an earlier one of its group is hidden.
 *
 * <p>An extension never shortens a lease, whatever was asked for first: it lasts as long as the handler chose, if that
 * is longer, and one that would end before the present lease is not made. One extension of a message in a call stands
 * for all.
 */
final class VisibilityChanger extends Accumulator<VisibilityChanger.Change, Void> {

    private static final Logger log = LoggerFactory.getLogger(VisibilityChanger.class);

    private static final long HEARTBEAT_NANOS = Duration.ofSeconds(5).toNanos();

    private static final Kind KIND = new Kind(
            "ChangeMessageVisibilityBatch",
            "changing the visibility of messages of",
            "could not be returned to the queue",
            "they are visible again when their visibility timeout ends",
            new FailingCalls.Meaning(
                    "visibility change",
                    "messages whose handlers run longer are delivered twice",
                    "sqs:ChangeMessageVisibility"),
            log);

    private final InFlightLedger ledger;
    private final Groups groups;
    private final OncePerMinute lostLeases;
    private final AtomicInteger overdueExtensions = new AtomicInteger();

    VisibilityChanger(ListenerQueue source, Executor threads, InFlightLedger ledger, Groups groups) {
        super(KIND, source.queue(), source, threads);
        this.ledger = ledger;
        this.groups = groups;
        this.lostLeases = new OncePerMinute(source.time());
    }

    /**
     * A release, or an extension: a heartbeat or a change of the handler.
     *
     * @param release whether the message returns to the queue
     * @param done the future of the handler that asked for it; {@code null} if none did
     */
    record Change(
            Delivery delivery,
            Duration timeout,
            boolean release,
            @Nullable CompletableFuture<Void> done) {

        /** A message that was claimed since is not extended: its release or its delete follows. */
        boolean stillWanted(long now) {
            return release
                    || (delivery.unsettled()
                            && delivery.leaseAtLeastUntil() - now
                                    < timeoutAt(now).toNanos());
        }

        /** SQS refuses a timeout beyond the longest, and the message would stay hidden until its lease ends. */
        Duration timeoutAt(long now) {
            Duration longest = delivery.longestVisibility(now);
            Duration wanted = timeout;
            if (!release) {
                Long visibleFrom = delivery.visibleFrom();
                long chosen = visibleFrom == null ? 0 : visibleFrom - now;
                Duration least = Duration.ofNanos(Math.max(chosen, delivery.leaseUntil() - now));
                wanted = wanted.compareTo(least) < 0 ? least : wanted;
            }
            return wanted.compareTo(longest) < 0 ? wanted : longest;
        }
    }

    /**
     * Changes with equal keys keep their order.
     *
     * @param overdue how many extensions had been overdue before
     */
    private record Order(Object key, int overdue) {}

    /** Returns messages to the queue that the caller has claimed, in this order. */
    void release(List<Delivery> deliveries, Duration after) {
        change(deliveries.stream()
                .map(each -> new Change(each, after, true, each.manualSettlement()))
                .toList());
    }

    /** Returns messages at once; passes over those that are claimed. */
    void returnNow(List<Delivery> deliveries) {
        returnAfter(Duration.ZERO, deliveries);
    }

    /** Returns messages, the last first, visible after the delay; passes over those that are claimed. */
    void returnAfter(Duration delay, List<Delivery> deliveries) {
        List<Delivery> claimed =
                deliveries.reversed().stream().filter(this::claim).toList();
        if (!claimed.isEmpty()) {
            release(claimed, delay);
        }
    }

    /** Claims a message that is out of its group; if others have returned it to the queue, its group does not wait for it. */
    boolean claim(Delivery delivery) {
        if (delivery.claim()) {
            return true;
        }
        if (delivery.group() != null && delivery.untracked()) {
            groups.settled(List.of(delivery));
        }
        return false;
    }

    /** Untracks a message without a call: its lease ends by itself. */
    void untrack(Delivery delivery) {
        if (claim(delivery)) {
            ledger.untrack(List.of(delivery));
        }
    }

    /**
     * The handler returns messages to the queue, or their leases ended before it settled them: no message of their groups that is
     * in flight starts here behind them. Returns those that wait behind them, which the caller returns to the queue; passes over
     * messages that are settled.
     */
    List<Delivery> loseUnsettled(List<Delivery> deliveries) {
        return lose(deliveries.stream().filter(Delivery::unsettled).toList());
    }

    /** Messages are no longer ours: no message of their groups starts behind them. Removes and returns those that wait there. */
    List<Delivery> lose(List<Delivery> deliveries) {
        Map<String, Delivery> firstOfGroups = new LinkedHashMap<>(0);
        for (Delivery delivery : deliveries) {
            if (delivery.group() != null) {
                firstOfGroups.merge(
                        delivery.group(), delivery, (one, other) -> one.number() < other.number() ? one : other);
            }
        }
        List<Delivery> behind = new ArrayList<>(0);
        firstOfGroups.values().forEach(first -> behind.addAll(groups.lose(first)));
        return behind;
    }

    /**
     * Untracks a message that the handler did not settle before its lease ended, and returns those that wait behind it on
     * FIFO.
     *
     * @param heldAgain whether a second receive brought a new lease, so that the message returns too
     */
    void expired(Delivery delivery, boolean heldAgain) {
        // Removed first: its group may go on as soon as it is untracked.
        List<Delivery> back = loseUnsettled(List.of(delivery));
        if (heldAgain) {
            back.addFirst(delivery);
        } else {
            untrack(delivery);
        }
        returnNow(back);
    }

    /** Extends leases beyond their present end. An extension that takes longer is given up, so that the next heartbeat can do better. */
    void extend(List<Delivery> deliveries, Duration timeout) {
        change(deliveries.stream()
                .map(each -> new Change(each, timeout, false, null))
                .toList());
    }

    /** Makes changes together. */
    void change(List<Change> changes) {
        long now = source.time().nanos();
        List<BatchEntry<Change>> entries = new ArrayList<>(changes.size());
        for (Change change : changes) {
            long leaseUntil = change.delivery.leaseUntil();
            long deadline = change.release ? leaseUntil : now + Math.clamp(leaseUntil - now, 1, HEARTBEAT_NANOS);
            entries.add(new BatchEntry<>(change, 1, orderOf(change.delivery), deadline));
        }
        batcher().addAll(entries);
    }

    private Order orderOf(Delivery delivery) {
        String group = delivery.group();
        return new Order(group != null ? group : delivery, overdueExtensions.get());
    }

    @Override
    public List<EntryResult<Void>> call(List<Change> changes) throws InterruptedException {
        long now = source.time().nanos();
        Map<Delivery, Change> byDelivery = new LinkedHashMap<>();
        List<@Nullable Change> made = new ArrayList<>(changes.size());
        for (Change change : changes) {
            made.add(change.stillWanted(now) ? byDelivery.computeIfAbsent(change.delivery(), key -> change) : null);
        }
        List<Change> some = List.copyOf(byDelivery.values());
        List<EntryResult<Void>> results = some.isEmpty() ? List.of() : makeCall(some);
        return made.stream()
                .map(each -> each == null ? BatchCall.LEFT_OUT : results.get(some.indexOf(each)))
                .toList();
    }

    private List<EntryResult<Void>> makeCall(List<Change> changes) throws InterruptedException {
        long calledAt = source.time().nanos();
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
        List<EntryResult<Void>> results =
                new ArrayList<>(make(entries.size(), () -> source.client().changeVisibility(source.queue(), entries)));
        List<Delivery> released = new ArrayList<>(changes.size());
        int extended = 0;
        for (int i = 0; i < results.size(); i++) {
            Delivery delivery = changes.get(i).delivery();
            if (!delivery.receiptHandle().equals(entries.get(i).receiptHandle())) {
                results.set(i, receivedAgain()); // what SQS has accepted was for the receive before
            } else if (results.get(i) instanceof EntryResult.Accepted<Void>) {
                if (changes.get(i).release()) {
                    released.add(delivery);
                } else {
                    delivery.extended(calledAt + entries.get(i).timeout().toNanos());
                    extended++;
                }
            }
        }
        if (!released.isEmpty()) {
            follow(() -> ledger.untrack(released));
            source.events().on(new ListenerEvent.Released(released.size()));
        }
        if (extended > 0) {
            source.events().on(new ListenerEvent.LeaseExtended(extended));
        }
        return results;
    }

    @Override
    public void deliver(SettledEntry<Change, Void> settled) {
        complete(settled.entry().done, settled.cause());
    }

    /** The future of a handler's change reports its failure, and heartbeats go on. */
    @Override
    public void settled(List<? extends SettledEntry<Change, Void>> changes) {
        List<Delivery> notReleased = new ArrayList<>(0);
        List<Delivery> lost = new ArrayList<>(0);
        Throwable reason = null;
        boolean overdue = false;
        for (SettledEntry<Change, Void> each : changes) {
            Delivery delivery = each.entry().delivery();
            EntryFailedException failure = each.cause();
            reason = failure == null ? reason : failure;
            if (each.entry().release()) {
                if (failure != null) {
                    notReleased.add(delivery);
                }
                continue;
            }
            delivery.endHeartbeat();
            if (failure != null) {
                overdue |= failure.code().equals(EntryFailedException.DEADLINE_EXCEEDED);
                if (leaseLost(delivery, failure)) {
                    lost.add(delivery);
                }
            }
        }
        if (overdue) {
            overdueExtensions.incrementAndGet();
        }
        if (reason != null) {
            gaveUp(notReleased, lost, reason);
        }
    }

    private void gaveUp(List<Delivery> notReleased, List<Delivery> lost, Throwable reason) {
        if (!notReleased.isEmpty()) {
            follow(() -> ledger.untrack(notReleased));
            gaveUp(notReleased, reason);
        }
        lost.forEach(delivery -> source.events().on(new ListenerEvent.LeaseLost()));
        String more = lost.isEmpty() ? null : lostLeases.record(lost.size());
        if (more != null) {
            log.warn(
                    "Listener {}: lost the lease of {} of {} ({}); another instance may handle them too. If this recurs,"
                            + " raise visibility.timeout, because a pause of the process or of the network lasted too long{}",
                    source.listener(),
                    named(lost),
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
                && !isPermission(failure.code())
                && delivery.unsettled()
                && delivery.loseLease();
    }
}
