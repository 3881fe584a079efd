/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * The messages that were handled and may come again all the same; they are to be deleted then, not run. Pure: no thread, no clock of
 * its own; belongs to the {@link InFlightLedger}'s lock.
 *
 * <p>One whose delete SQS did not accept comes again, once. One whose delete SQS accepted may come again when a lease is over that
 * began before: a standard queue delivers a message twice at times, and accepts a delete with an older receipt handle without effect. It is
 * remembered for two leases. Of each kind the last {@value #REMEMBERED} messages are remembered; an older one runs again (at least once).
 */
final class HandledMessages {

    static final int REMEMBERED = 10_000;

    private final long leaseNanos;
    private final SequencedMap<String, Handled> notDeleted = new LinkedHashMap<>();
    private final SequencedMap<String, Handled> deleted = new LinkedHashMap<>();

    private record Handled(long at, boolean deadLettered) {}

    HandledMessages(long leaseNanos) {
        this.leaseNanos = leaseNanos;
    }

    void notDeleted(Collection<Delivery> deliveries, long now) {
        remember(deliveries, notDeleted, now);
    }

    void deleted(Collection<Delivery> deliveries, long now) {
        remember(deliveries, deleted, now);
        while (!deleted.isEmpty() && isOver(deleted.firstEntry().getValue(), now)) {
            var ignored = deleted.pollFirstEntry();
        }
    }

    private static void remember(Collection<Delivery> deliveries, SequencedMap<String, Handled> last, long now) {
        deliveries.forEach(each -> last.putLast(each.message().id(), new Handled(now, each.isDeadLettered())));
        while (last.size() > REMEMBERED) {
            var ignored = last.pollFirstEntry();
        }
    }

    /** Returns whether the message was handled. If a dead-letter queue has accepted it, it is marked so. */
    boolean contains(Delivery fresh, long now) {
        String id = fresh.message().id();
        Handled once = notDeleted.remove(id);
        Handled handled = once == null ? deleted.get(id) : once;
        if (handled == null || (once == null && isOver(handled, now))) {
            return false;
        }
        if (handled.deadLettered) {
            fresh.deadLettered();
        }
        return true;
    }

    private boolean isOver(Handled handled, long now) {
        return now - handled.at >= 2 * leaseNanos;
    }
}
