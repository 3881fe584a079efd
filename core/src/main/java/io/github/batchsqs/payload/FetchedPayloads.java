/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.payload;

import io.github.batchsqs.ReceivedMessage;

/** The payloads of a batch, which occupy memory until they are closed. Belongs to the thread of one invocation. */
public interface FetchedPayloads extends AutoCloseable {

    /**
     * Returns a message of the batch with its payload as the body; the same object if the payload was in it.
     *
     * @param message the message as it was received
     * @return the message for the handler
     * @throws PayloadStoreException if the payload was not fetched. If it is retryable, the message is tried again like one
     *     whose handler failed; if not, it is unreadable and treated like a payload that cannot be converted
     */
    ReceivedMessage message(ReceivedMessage message);

    /** Releases the memory: the handler has returned. */
    @Override
    void close();
}
