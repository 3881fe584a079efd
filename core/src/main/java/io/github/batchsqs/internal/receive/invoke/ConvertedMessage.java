/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.internal.codec.ForwardingMessage;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;

/** A delivery as the handler sees it. */
final class ConvertedMessage<T> extends ForwardingMessage implements SqsMessage<T>, Leased {

    private final Delivery delivery;
    private final ListenerQueue source;
    private final T payload;

    /**
     * Combines a delivery and its payload.
     *
     * @param message the message with its payload as the body
     */
    ConvertedMessage(Delivery delivery, ReceivedMessage message, ListenerQueue source, T payload) {
        super(message);
        this.delivery = delivery;
        this.source = source;
        this.payload = payload;
    }

    Delivery delivery() {
        return delivery;
    }

    @Override
    public String queue() {
        return source.name();
    }

    @Override
    public T payload() {
        return payload;
    }

    @Override
    public String receiptHandle() {
        return delivery.receiptHandle();
    }

    @Override
    public boolean leaseLost() {
        return delivery.everLost() || isLeaseLost();
    }

    @Override
    public boolean isLeaseLost() {
        return delivery.leaseLost(source.time().nanos());
    }

    /** Contains the id, never the payload: it may be confidential. */
    @Override
    public String toString() {
        return "SqsMessage[" + id() + " from " + source.name() + "]";
    }
}
