/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.events;

import io.github.batchsqs.events.ListenerEvent;
import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;

/**
 * A rare event of a listener, for methods with {@code @EventListener}; {@code ListenerApplicationEvent<?>} receives all of them:
 *
 * <pre>{@code
 * @EventListener
 * void on(ListenerApplicationEvent<ListenerEvent.ReceivesFailing> failing) {
 *     pager.call(failing.listener(), failing.event().errorCode());
 * }
 * }</pre>
 *
 * <p>The events are {@link ListenerEvent.Started}, {@link ListenerEvent.Stopped}, {@link ListenerEvent.ReceivesFailing}, {@link
 * ListenerEvent.ReceivesRecovered}, {@link ListenerEvent.LeaseLost}, {@link ListenerEvent.DeadLettered} and {@link
 * ListenerEvent.AcknowledgeFailed}; meters count the rest. Those of all listeners are published one after another on a
 * thread of their own, soon after they happen, so that a slow method delays later events and no message. What such a
 * method throws is logged and has no other effect. Closing the application waits up to a second in all until the events are
 * published.
 *
 * @param listener the id of the listener
 * @param queue the name of its queue; also for {@code DeadLettered} not that of the dead-letter queue
 * @param client the name of its client, {@code default} without one of {@code batchsqs.clients}
 * @param event what happened
 * @param times how often it happened since it was last published: the number of messages for the last three, otherwise 1
 * @param <E> the event
 */
public record ListenerApplicationEvent<E extends ListenerEvent>(
        String listener, String queue, String client, E event, int times) implements ResolvableTypeProvider {

    @Override
    public ResolvableType getResolvableType() {
        return ResolvableType.forClassWithGenerics(ListenerApplicationEvent.class, event.getClass());
    }
}
