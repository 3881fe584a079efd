/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The messages that were handled and may come again all the same; they are to be deleted then, not run. Pure: no thread, no clock; belongs
 * to the {@link InFlightLedger}'s lock.
 *
 * <p>One whose delete SQS did not accept comes again, once. One whose delete SQS accepted may come again as often as it likes: a standard
 * queue delivers a message twice at times, and accepts a delete with an older receipt handle without effect. Of each kind the last
 * {@value #REMEMBERED} messages are remembered; an older one runs again (at least once).
 */
final class HandledMessages {

    static final int REMEMBERED = 10_000;

    /** By id, whether a dead-letter queue has accepted the message. */
    private final Map<String, Boolean> notDeleted = new LinkedHashMap<>();

    private final Map<String, Boolean> deleted = new LinkedHashMap<>();

    void notDeleted(Collection<Delivery> deliveries) {
        remember(deliveries, notDeleted);
    }

    void deleted(Collection<Delivery> deliveries) {
        remember(deliveries, deleted);
    }

    private static void remember(Collection<Delivery> deliveries, Map<String, Boolean> last) {
        deliveries.forEach(each -> last.put(each.message().id(), each.isDeadLettered()));
        for (Iterator<String> oldest = last.keySet().iterator(); last.size() > REMEMBERED; ) {
            oldest.next();
            oldest.remove();
        }
    }

    /** Returns whether the message was handled. If a dead-letter queue has accepted it, it is marked so. */
    boolean contains(Delivery fresh) {
        String id = fresh.message().id();
        Boolean once = notDeleted.remove(id);
        Boolean deadLettered = once == null ? deleted.get(id) : once;
        if (Boolean.TRUE.equals(deadLettered)) {
            fresh.deadLettered();
        }
        return deadLettered != null;
    }
}
