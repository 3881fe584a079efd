/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import org.jspecify.annotations.Nullable;

/**
 * A poller receives only what may be in flight, by number and by size. If there is room for fewer messages than a
 * receive can bring, it waits a little for the rest, because a receive of ten costs what a receive of one costs. Then
 * it takes what there is, so that messages that are stuck do not keep the others out.
 */
record Permits(InFlightLimit limit) implements Reason {

    private static final Closed NO_PERMIT = new Closed(
            "permits",
            "messages in flight, and those that open receives may bring, have every permit",
            Closed.UNTIL_CHANGED,
            true);

    private static final Closed NO_MEMORY = new Closed(
            "in-flight-bytes",
            "messages in flight of all listeners have all memory of batchsqs.in-flight-bytes",
            Closed.UNTIL_CHANGED,
            true);

    /** At any time. A poller need not look again as long as the answer is the one for which it waits. */
    @Override
    public @Nullable Closed closed(Poller poller, int asks, long now) {
        int room = limit.room(asks);
        if (room >= limit.enough(asks)) {
            return null;
        }
        Closed none = limit.limit() - limit.used() <= room ? NO_PERMIT : NO_MEMORY;
        if (room == 0) {
            return none;
        }
        return poller.patience() <= 0
                ? null
                : new Closed(none.reason(), "more of them may return soon", poller.patience(), true);
    }
}
