/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** What is deleted has had its effect, or has a copy in the dead-letter queue. */
public final class NothingIsDeletedThatDidNotSucceed extends Law {

    /** Makes it. */
    public NothingIsDeletedThatDidNotSucceed() {
        super("What is deleted has had its effect, or has a copy in the dead-letter queue.");
    }

    @Override
    public void deleted(Message message) {
        if (!message.succeeded && !message.copied()) {
            throw broken(message + " was deleted; its runs: " + message.runs);
        }
    }
}
