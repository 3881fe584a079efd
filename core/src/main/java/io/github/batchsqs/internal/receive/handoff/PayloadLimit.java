/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import java.util.function.ToLongFunction;

/**
 * Ends a batch before the payloads of its messages that are stored outside of SQS would need too much memory together. Pure.
 *
 * @param bytes the memory that the payload of a message needs, 0 if it is in the message
 * @param max the maximum sum of a batch with more than one message
 */
record PayloadLimit(ToLongFunction<ReceivedMessage> bytes, long max) {

    /** Ends no batch. */
    static final PayloadLimit NONE = new PayloadLimit(message -> 0, Long.MAX_VALUE);

    /** Returns the memory that the payload of a message needs. */
    long of(Delivery delivery) {
        return bytes.applyAsLong(delivery.message());
    }

    /** Returns whether the message fits behind others whose payloads need so much memory. */
    boolean fits(Delivery next, long used) {
        long needed = of(next);
        return needed == 0 || used + needed <= max;
    }
}
