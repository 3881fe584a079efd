/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.support.Alarm;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * For FIFO queues: at most one batch of a message group is out at a time, and groups are served in the order in which they
 * became ready.
 *
 * <p>A group goes on when nothing of it is out any more: each message of its batch is untracked or waits at the
 * head of its group again. A batch holds one group, or, mixed, as many as it takes to fill it, each in order. A message that
 * is to run alone is a batch of its own in either case.
 */
final class GroupedHandoff implements Handoff {

    private final int batchSize;
    private final long linger;
    private final boolean mixed;
    private final BooleanSupplier nothingComes;
    private final PayloadLimit payloads;
    private final Map<String, Group> groups = new HashMap<>();
    private final ArrayDeque<Group> ready = new ArrayDeque<>();
    private final PriorityQueue<Group> delayed =
            new PriorityQueue<>((one, other) -> Long.signum(one.notBefore - other.notBefore));
    /** How many ready groups run their next message alone. */
    private int readyAlone;

    private int delayedSize;
    private long delayedBytes;
    /** The memory that the payloads of the batch need which is taken at the moment. */
    private long used;

    /**
     * Makes an empty one.
     *
     * @param nothingComes whether nothing can fill a batch at this moment, so that none lingers
     * @param payloads ends a batch
     */
    GroupedHandoff(int batchSize, Duration linger, boolean mixed, BooleanSupplier nothingComes, PayloadLimit payloads) {
        this.batchSize = batchSize;
        this.linger = linger.toNanos();
        this.mixed = mixed;
        this.nothingComes = nothingComes;
        this.payloads = payloads;
    }

    @Override
    public void offer(Delivery delivery) {
        Group group = groupOf(delivery);
        group.waiting.addLast(delivery);
        if (group.retrying) {
            delayedSize++;
            delayedBytes += delivery.bytes();
        }
        if (group.place == Place.NONE) {
            goOn(group);
        }
    }

    @Override
    public @Nullable List<Delivery> poll(long now) {
        used = 0;
        for (Group due = delayed.peek(); due != null && due.notBefore - now <= 0; due = delayed.peek()) {
            leavePlace(due);
            setRetrying(due, false);
            goOn(due);
        }
        if (mixed && readyAlone > 0) { // ahead of the others, whose batch it would end
            Group alone =
                    ready.stream().filter(group -> group.alone > 0).findFirst().orElseThrow();
            return take(alone, new ArrayList<>(1));
        }
        if (mixed) {
            return nanosUntilDue(now) == 0 ? takeFromMany() : null;
        }
        for (Group group : ready) {
            if (group.waiting.size() >= batchSize || nanosUntilDue(group, now) <= 0) {
                return take(group, new ArrayList<>(Math.min(batchSize, group.waiting.size())));
            }
        }
        return null;
    }

    @Override
    public long nanosUntilDue(long now) {
        Group first = delayed.peek();
        long wait = first == null ? Alarm.NEVER : first.notBefore - now;
        int messages = 0;
        for (Group group : ready) {
            messages = group.waiting.size() + (mixed ? messages : 0);
            if (messages >= batchSize) {
                return 0;
            }
            wait = Math.min(wait, nanosUntilDue(group, now));
        }
        return Math.max(0, wait);
    }

    @Override
    public void block(Delivery delivery) {
        Group group = groupOf(delivery);
        leavePlace(group);
        group.out.add(delivery);
        group.place = Place.OUT;
    }

    @Override
    public void settled(Delivery delivery) {
        Group group = groups.get(keyOf(delivery));
        if (group != null && group.out.remove(delivery)) {
            goOnUnlessOut(group);
        }
    }

    @Override
    public boolean requeue(List<Delivery> deliveries, int alone, @Nullable Long notBefore) {
        Group group = groups.get(keyOf(deliveries.getFirst()));
        if (group == null || deliveries.stream().anyMatch(Delivery::isLost) || !group.out.containsAll(deliveries)) {
            return false;
        }
        group.alone += alone;
        setRetrying(group, false);
        group.notBefore = notBefore == null ? 0 : notBefore;
        deliveries.reversed().forEach(group.waiting::addFirst);
        setRetrying(group, notBefore != null);
        deliveries.forEach(group.out::remove);
        goOnUnlessOut(group);
        return true;
    }

    @Override
    public List<Delivery> removeWaiting(String key) {
        Group group = groups.get(key);
        if (group == null) {
            return List.of();
        }
        leavePlace(group);
        List<Delivery> removed = List.copyOf(group.waiting);
        setRetrying(group, false);
        group.waiting.clear();
        group.alone = 0;
        goOnUnlessOut(group);
        return removed;
    }

    @Override
    public List<Delivery> lose(Delivery delivery) {
        List<Delivery> removed = removeWaiting(keyOf(delivery));
        Group group = groups.get(keyOf(delivery));
        if (group != null) {
            group.out.stream()
                    .filter(each -> each.number() >= delivery.number())
                    .forEach(Delivery::lose);
        }
        return removed;
    }

    @Override
    public List<Delivery> drain(boolean busyGroupsToo) {
        List<Delivery> all = new ArrayList<>();
        for (Group group : List.copyOf(groups.values())) {
            if (busyGroupsToo || group.place != Place.OUT) {
                all.addAll(removeWaiting(group.key));
            }
        }
        return all;
    }

    @Override
    public int size() {
        return groups.values().stream().mapToInt(group -> group.waiting.size()).sum();
    }

    @Override
    public int delayed() {
        return delayedSize;
    }

    @Override
    public long delayedBytes() {
        return delayedBytes;
    }

    private Group groupOf(Delivery delivery) {
        return groups.computeIfAbsent(keyOf(delivery), Group::new);
    }

    private void goOnUnlessOut(Group group) {
        if (group.out.isEmpty()) {
            group.place = Place.NONE;
            goOn(group);
        }
    }

    /** Nothing of the group is out: it takes its place among those that run next, or is removed. */
    private void goOn(Group group) {
        if (group.waiting.isEmpty()) {
            groups.remove(group.key);
        } else if (group.retrying) {
            delayed.add(group);
            group.place = Place.DELAYED;
        } else {
            ready.addLast(group);
            readyAlone += group.alone > 0 ? 1 : 0;
            group.place = Place.READY;
        }
    }

    private void leavePlace(Group group) {
        switch (group.place) {
            case READY -> {
                ready.remove(group);
                readyAlone -= group.alone > 0 ? 1 : 0;
            }
            case DELAYED -> delayed.remove(group);
            case NONE, OUT -> {
                return;
            }
        }
        group.place = Place.NONE;
    }

    /** Counts what waits, because {@link #delayed()} is asked for at each change, and thousands of groups may retry. */
    private void setRetrying(Group group, boolean retrying) {
        if (group.retrying != retrying) {
            group.retrying = retrying;
            int sign = retrying ? 1 : -1;
            delayedSize += sign * group.waiting.size();
            group.waiting.forEach(each -> delayedBytes += (long) sign * each.bytes());
        }
    }

    private List<Delivery> takeFromMany() {
        List<Delivery> batch = new ArrayList<>();
        while (batch.size() < batchSize
                && !ready.isEmpty()
                && fits(batch, ready.getFirst().waiting.element())) {
            take(ready.getFirst(), batch);
        }
        return batch;
    }

    private List<Delivery> take(Group group, List<Delivery> batch) {
        leavePlace(group);
        group.place = Place.OUT;
        int max = group.alone > 0 ? 1 : batchSize - batch.size();
        group.alone = Math.max(0, group.alone - 1);
        for (int i = 0; i < max && !group.waiting.isEmpty(); i++) {
            Delivery delivery = group.waiting.getFirst();
            if (!fits(batch, delivery)) {
                break; // it waits for the next batch of its group
            }
            group.out.add(delivery);
            batch.add(delivery);
            used += payloads.of(delivery);
            group.waiting.removeFirst();
        }
        return batch;
    }

    private boolean fits(List<Delivery> batch, Delivery next) {
        return batch.isEmpty() || payloads.fits(next, used);
    }

    private long nanosUntilDue(Group group, long now) {
        return group.alone > 0 || nothingComes.getAsBoolean()
                ? 0
                : group.waiting.element().receivedAt() + linger - now;
    }

    private static String keyOf(Delivery delivery) {
        return Objects.requireNonNull(delivery.group(), "a message of a FIFO queue has a group");
    }

    /** Where a group stands. */
    private enum Place {
        NONE,
        READY,
        DELAYED,
        OUT
    }

    private static final class Group {
        final String key;
        final ArrayDeque<Delivery> waiting = new ArrayDeque<>();
        final Set<Delivery> out = Collections.newSetFromMap(new IdentityHashMap<>());
        Place place = Place.NONE;
        /** The number of messages from the head that run one by one. */
        int alone;
        /** What waits counts as delayed, also while a message of the group is out, which may take as long as its delete. */
        boolean retrying;
        /** When the head may go on, if the group is {@link #retrying}. */
        long notBefore;

        Group(String key) {
            this.key = key;
        }
    }
}
