/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.support.Alarm;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * For standard queues: serves messages in the order of their receive. A batch is due when it is full, when its
 * first has lingered, or when nothing can fill it.
 */
final class LingeringHandoff implements Handoff {

    private final int batchSize;
    private final long linger;
    private final BooleanSupplier nothingComes;
    private final PayloadLimit payloads;
    private final ArrayDeque<Delivery> waiting = new ArrayDeque<>();

    /**
     * Makes an empty one.
     *
     * @param nothingComes whether nothing can fill a batch at this moment, so that none lingers
     * @param payloads ends a batch
     */
    LingeringHandoff(int batchSize, Duration linger, BooleanSupplier nothingComes, PayloadLimit payloads) {
        this.batchSize = batchSize;
        this.linger = linger.toNanos();
        this.nothingComes = nothingComes;
        this.payloads = payloads;
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
        long used = 0;
        for (int i = 0; i < size; i++) {
            Delivery next = waiting.element();
            if (!batch.isEmpty() && !payloads.fits(next, used)) {
                break;
            }
            used += payloads.of(next);
            batch.add(waiting.removeFirst());
        }
        return batch;
    }

    @Override
    public long nanosUntilDue(long now) {
        if (waiting.isEmpty()) {
            return Alarm.NEVER;
        }
        boolean due = waiting.size() >= batchSize || nothingComes.getAsBoolean();
        return due ? 0 : Math.max(0, waiting.element().receivedAt() + linger - now);
    }

    @Override
    public boolean requeue(List<Delivery> deliveries, int alone, @Nullable Long notBefore) {
        deliveries.reversed().forEach(waiting::addFirst);
        return true;
    }

    @Override
    public List<Delivery> drain(boolean busyGroupsToo) {
        List<Delivery> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    @Override
    public int size() {
        return waiting.size();
    }
}
