/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.handoff;

import io.github.batchsqs.receive.fetch.Delivery;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** For standard queues: messages in the order of their receive; a batch is due when full or when its first has lingered. */
public final class LingeringHandoff implements Handoff {

    private final int batchSize;
    private final long linger;
    private final ArrayDeque<Delivery> waiting = new ArrayDeque<>();

    public LingeringHandoff(int batchSize, Duration linger) {
        this.batchSize = batchSize;
        this.linger = linger.toNanos();
    }

    @Override
    public void offer(Delivery delivery) {
        waiting.addLast(delivery);
    }

    @Override
    public @Nullable List<Delivery> poll(long now) {
        if (waiting.isEmpty() || nanosUntilDue(now) > 0) {
            return null;
        }
        int size = Math.min(batchSize, waiting.size());
        List<Delivery> batch = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            batch.add(waiting.removeFirst());
        }
        return batch;
    }

    @Override
    public long nanosUntilDue(long now) {
        if (waiting.isEmpty()) {
            return NEVER;
        }
        return waiting.size() >= batchSize ? 0 : Math.max(0, waiting.element().receivedAt() + linger - now);
    }

    @Override
    public void release(String lane) {
        throw new IllegalStateException("A standard queue has no lanes, but lane " + lane + " was released");
    }

    @Override
    public void takeBack(List<Delivery> deliveries) {
        for (int i = deliveries.size() - 1; i >= 0; i--) {
            waiting.addFirst(deliveries.get(i));
        }
    }

    @Override
    public List<Delivery> withdraw(String lane) {
        return List.of();
    }

    @Override
    public List<Delivery> drain(boolean busyLanesToo) {
        List<Delivery> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    @Override
    public int size() {
        return waiting.size();
    }
}
