/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import io.github.batchsqs.client.ReceivedMessage;

/**
 * Told of each message that failed, those that could not be converted included, before it is settled. Called on the
 * invocation's thread; an exception is logged and changes nothing.
 */
@FunctionalInterface
public interface ErrorHook {

    /** Nobody asks. */
    ErrorHook NONE = (queue, message, cause) -> {};

    /** The message of the queue failed for the cause. */
    void failed(String queue, ReceivedMessage message, Throwable cause);
}
