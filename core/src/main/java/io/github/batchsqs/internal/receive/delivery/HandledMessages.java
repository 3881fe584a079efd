/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The messages that were handled and may come again all the same; they are to be deleted then, not run. Pure: no thread, no clock of
 * its own; belongs to the {@link InFlightLedger}'s lock.
 *
 * <p>One whose delete SQS did not accept comes again, once. One whose delete SQS accepted may come again as long as a lease lasts that
 * began before: a standard queue delivers a message twice at times, and accepts a delete with an older receipt handle without effect. Each
 * kind holds at least the last {@value #REMEMBERED} messages, the second at most twice as many; an older one runs again (at least once).
 */
final class HandledMessages {

    static final int REMEMBERED = 10_000;

    private final long leaseNanos;

    /** By id, whether a dead-letter queue has accepted the message. */
    private final Map<String, Boolean> notDeleted = new LinkedHashMap<>();

    /** The same for those that were deleted since {@link #since}, and in the time before. */
    private Map<String, Boolean> deleted = new HashMap<>();

    private Map<String, Boolean> deletedBefore = new HashMap<>();
    private long since;

    HandledMessages(long leaseNanos, long now) {
        this.leaseNanos = leaseNanos;
        this.since = now;
    }

    void notDeleted(Collection<Delivery> deliveries) {
        deliveries.forEach(each -> notDeleted.put(each.message().id(), each.isDeadLettered()));
        while (notDeleted.size() > REMEMBERED) {
            boolean ignored =
                    notDeleted.keySet().remove(notDeleted.keySet().iterator().next());
        }
    }

    void deleted(Collection<Delivery> deliveries, long now) {
        forget(now, deliveries.size());
        deliveries.forEach(each -> deleted.put(each.message().id(), each.isDeadLettered()));
    }

    /** Returns whether the message was handled. If a dead-letter queue has accepted it, it is marked so. */
    boolean contains(Delivery fresh, long now) {
        forget(now, 0);
        String id = fresh.message().id();
        Boolean deadLettered = notDeleted.isEmpty() ? null : notDeleted.remove(id);
        deadLettered = deadLettered == null ? deleted.get(id) : deadLettered;
        deadLettered = deadLettered == null ? deletedBefore.get(id) : deadLettered;
        if (Boolean.TRUE.equals(deadLettered)) {
            fresh.deadLettered();
        }
        return deadLettered != null;
    }

    private void forget(long now, int more) {
        boolean full = deleted.size() + more > REMEMBERED;
        if (full || now - since >= leaseNanos) {
            deletedBefore = !full && now - since >= 2 * leaseNanos ? new HashMap<>() : deleted;
            deleted = new HashMap<>();
            since = now;
        }
    }
}
