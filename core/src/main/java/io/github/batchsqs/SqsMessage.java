/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

/**
 * One received message with its payload converted.
 *
 * <p>Only {@link #leaseLost()} and {@link #receiptHandle()} change after the receive. Safe for use by any thread.
 *
 * @param <T> the payload type
 */
public interface SqsMessage<T> extends ReceivedMessage {

    /** {@return the body, converted to the payload type of the handler} */
    T payload();

    /** {@return the name of the queue that the message was received from} */
    String queue();

    /** {@return the newest receipt handle; a second receive of a message that is still in flight here replaces the handle} */
    @Override
    String receiptHandle();

    /**
     * {@return whether this listener has lost the message: its visibility timeout passed, or SQS refused to extend it}
     * Another instance may already handle it, so a handler can check this before a costly side effect. After the
     * first {@code true}, the value does not change.
     */
    boolean leaseLost();
}
