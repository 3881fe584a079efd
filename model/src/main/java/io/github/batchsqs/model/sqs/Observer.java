/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

/** Sees what happens to messages, whatever callers are told about it. Called within the operation; must not call the model. */
public interface Observer<P extends Payload> {

    /** The message is new in the queue; a repeated deduplication id is none. */
    default void sent(ModelQueue<P> queue, Stored<P> message) {}

    default void received(ModelQueue<P> queue, Received<P> received) {}

    default void deleted(ModelQueue<P> queue, Stored<P> message) {}

    /** Redrive moved the message, whose receive count is what it was in the source. */
    default void moved(ModelQueue<P> source, ModelQueue<P> deadLetterQueue, Stored<P> message) {}

    /** The retention period ended, or the queue was purged. */
    default void discarded(ModelQueue<P> queue, Stored<P> message) {}
}
