/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.receive.delivery.Delivery;
import io.github.batchsqs.receive.delivery.Groups;
import io.github.batchsqs.receive.delivery.InFlightLimit;
import io.github.batchsqs.receive.delivery.Loss;
import io.github.batchsqs.receive.handoff.Dispatcher;
import io.github.batchsqs.receive.handoff.Requeued;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The message groups of the hand-off, as the settlement sees them. */
record DispatchedGroups(Dispatcher dispatcher, InFlightLimit limit, RetryRoom room) implements Groups {

    @Override
    public List<Delivery> removeWaiting(String group) {
        return dispatcher.removeWaiting(group);
    }

    @Override
    public List<Delivery> lose(String group, Loss loss) {
        return dispatcher.lose(group, loss);
    }

    @Override
    public @Nullable Loss loss(String group) {
        return dispatcher.loss(group);
    }

    @Override
    public boolean requeue(List<Delivery> deliveries, int alone) {
        return dispatcher.requeue(Requeued.now(deliveries, alone));
    }

    @Override
    public boolean retry(List<Delivery> deliveries, int alone, long notBefore) {
        return room.requeue(Requeued.at(deliveries, alone, notBefore));
    }

    @Override
    public long waitsForDeadLetter(int messages, long bytes) {
        return limit.lendMore(messages, bytes);
    }

    @Override
    public void settled(Delivery delivery) {
        dispatcher.settled(List.of(delivery));
    }
}
