/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.handoff;

import io.github.batchsqs.receive.fetch.Delivery;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * For FIFO queues: a lane for each message group, at most one batch of a lane out at a time, lanes served in the order in
 * which they became ready.
 *
 * <p>A batch holds one lane, or, mixed, as many as it takes to fill it, each in order.
 */
public final class GroupedHandoff implements Handoff {

    private final int batchSize;
    private final long linger;
    private final boolean mixed;
    private final Map<String, Lane> lanes = new HashMap<>();
    private final ArrayDeque<Lane> ready = new ArrayDeque<>();
    private int size;
    private int readySize;

    public GroupedHandoff(int batchSize, Duration linger, boolean mixed) {
        this.batchSize = batchSize;
        this.linger = linger.toNanos();
        this.mixed = mixed;
    }

    @Override
    public void offer(Delivery delivery) {
        Lane lane = lanes.computeIfAbsent(laneOf(delivery), Lane::new);
        lane.waiting.addLast(delivery);
        added(lane, 1);
    }

    @Override
    public @Nullable List<Delivery> poll(long now) {
        if (mixed) {
            return readySize >= batchSize || anyDue(now) ? takeFromMany() : null;
        }
        for (Iterator<Lane> all = ready.iterator(); all.hasNext(); ) {
            Lane lane = all.next();
            if (lane.waiting.size() >= batchSize || nanosUntilDue(lane, now) <= 0) {
                all.remove();
                List<Delivery> batch = new ArrayList<>(Math.min(batchSize, lane.waiting.size()));
                take(lane, batch);
                return batch;
            }
        }
        return null;
    }

    @Override
    public long nanosUntilDue(long now) {
        if (mixed && readySize >= batchSize) {
            return 0;
        }
        long wait = NEVER;
        for (Lane lane : ready) {
            wait = Math.min(wait, lane.waiting.size() >= batchSize ? 0 : nanosUntilDue(lane, now));
        }
        return Math.max(0, wait);
    }

    @Override
    public void release(String key) {
        Lane lane = lanes.get(key);
        if (lane == null || !lane.busy) {
            throw new IllegalStateException("The lane is not out: a batch was settled twice");
        }
        lane.busy = false;
        if (lane.waiting.isEmpty()) {
            lanes.remove(key);
        } else {
            ready.addLast(lane);
            readySize += lane.waiting.size();
        }
    }

    @Override
    public void takeBack(List<Delivery> deliveries) {
        for (int i = deliveries.size() - 1; i >= 0; i--) {
            Delivery delivery = deliveries.get(i);
            Lane lane = lanes.computeIfAbsent(laneOf(delivery), Lane::new);
            lane.waiting.addFirst(delivery);
            added(lane, 1);
        }
    }

    @Override
    public List<Delivery> withdraw(String key) {
        Lane lane = lanes.get(key);
        if (lane == null) {
            return List.of();
        }
        List<Delivery> withdrawn = List.copyOf(lane.waiting);
        lane.waiting.clear();
        size -= withdrawn.size();
        if (!lane.busy) {
            readySize -= withdrawn.size();
            ready.remove(lane);
            lanes.remove(key);
        }
        return withdrawn;
    }

    @Override
    public List<Delivery> drain(boolean busyLanesToo) {
        List<Delivery> all = new ArrayList<>(size);
        for (Lane lane : List.copyOf(lanes.values())) {
            if (busyLanesToo || !lane.busy) {
                all.addAll(withdraw(lane.key));
            }
        }
        return all;
    }

    @Override
    public int size() {
        return size;
    }

    /** How many lanes have messages that wait or run. */
    int lanes() {
        return lanes.size();
    }

    private void added(Lane lane, int count) {
        size += count;
        if (!lane.busy) {
            readySize += count;
            if (lane.waiting.size() == count) {
                ready.addLast(lane);
            }
        }
    }

    private boolean anyDue(long now) {
        return ready.stream().anyMatch(lane -> nanosUntilDue(lane, now) <= 0);
    }

    private List<Delivery> takeFromMany() {
        List<Delivery> batch = new ArrayList<>(Math.min(batchSize, readySize));
        while (batch.size() < batchSize && !ready.isEmpty()) {
            take(ready.removeFirst(), batch);
        }
        return batch;
    }

    private void take(Lane lane, List<Delivery> batch) {
        lane.busy = true;
        readySize -= lane.waiting.size();
        while (batch.size() < batchSize && !lane.waiting.isEmpty()) {
            batch.add(lane.waiting.removeFirst());
            size--;
        }
    }

    private long nanosUntilDue(Lane lane, long now) {
        return lane.waiting.element().receivedAt() + linger - now;
    }

    private static String laneOf(Delivery delivery) {
        return Objects.requireNonNull(delivery.lane(), "a message of a FIFO queue has a group");
    }

    private static final class Lane {
        final String key;
        final ArrayDeque<Delivery> waiting = new ArrayDeque<>();
        boolean busy;

        Lane(String key) {
            this.key = key;
        }
    }
}
