/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import io.github.batchsqs.ReceivedMessage;

/**
 * Receives each failed message before the message is settled, including messages that could not be converted. The listener
 * calls the hook on the thread of the invocation. It does not call the hook for an outcome without a cause, such as {@link
 * io.github.batchsqs.BatchOutcome#retry()}. An exception of the hook has no effect: the first is logged with its stack trace,
 * and further ones are counted once a minute.
 */
@FunctionalInterface
public interface ErrorHook {

    /** Does nothing. */
    ErrorHook NONE = (queue, message, cause) -> {};

    /**
     * Receives a failed message.
     *
     * @param queue the name of the queue
     * @param message the message as it was received
     * @param cause the exception that caused the failure
     */
    void failed(String queue, ReceivedMessage message, Throwable cause);
}
