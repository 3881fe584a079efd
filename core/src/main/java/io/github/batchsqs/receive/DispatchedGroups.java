/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.receive.delivery.Delivery;
import io.github.batchsqs.receive.delivery.Groups;
import io.github.batchsqs.receive.delivery.InFlightLimit;
import io.github.batchsqs.receive.handoff.Dispatcher;
import io.github.batchsqs.receive.handoff.Requeued;
import java.util.List;

/** The message groups of the hand-off, as the settlement sees them. */
record DispatchedGroups(Dispatcher dispatcher, InFlightLimit limit, RetryRoom room) implements Groups {

    @Override
    public List<Delivery> removeWaiting(String group) {
        return dispatcher.removeWaiting(group);
    }

    @Override
    public List<Delivery> lose(String group, long visibleFrom) {
        return dispatcher.lose(group, visibleFrom);
    }

    @Override
    public long lostUntil(String group) {
        return dispatcher.lostUntil(group);
    }

    @Override
    public boolean requeue(List<Delivery> deliveries, int alone) {
        return dispatcher.requeue(Requeued.now(deliveries, alone));
    }

    @Override
    public boolean retry(List<Delivery> deliveries, int alone, long notBefore) {
        return dispatcher.requeue(Requeued.at(deliveries, alone, notBefore));
    }

    @Override
    public boolean roomToWait(List<Delivery> deliveries) {
        return room.hasRoomFor(deliveries);
    }

    @Override
    public void waitsForDeadLetter(int messages) {
        limit.lendMore(messages);
    }

    @Override
    public void settled(Delivery delivery) {
        dispatcher.settled(List.of(delivery));
    }
}
