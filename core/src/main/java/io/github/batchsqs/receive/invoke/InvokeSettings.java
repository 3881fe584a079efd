/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

/**
 * How the {@link BatchInvoker} invokes.
 *
 * @param listener the listener's id, for the log
 * @param queue the queue's name
 * @param completion what the handler's return means
 * @param isolate whether a batch that failed as a whole is run once more one by one; only where the outcome decides
 */
public record InvokeSettings(String listener, String queue, Completion completion, boolean isolate) {

    /** What the handler's return means. */
    public enum Completion {
        /** Its outcome decides. */
        BY_OUTCOME,
        /** Nothing: messages are settled by hand; a failure gives back what was not. */
        BY_HAND,
        /** Every message that ran is done, also when the handler failed. */
        ALWAYS_DONE
    }
}
