/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** A payload that is stored outside of SQS is removed when no queue has its message any more. */
public final class PayloadsStayWithTheirMessages extends Law {

    /** Makes it. */
    public PayloadsStayWithTheirMessages() {
        super("A payload that is stored outside of SQS is removed when no queue has its message any more.");
    }

    @Override
    public void payloadRemoved(Receive receive) {
        Message message = receive.message;
        if (receive == message.lastReceive() && !message.gone) {
            throw broken("that of " + message + ", which is still in the queue, was removed");
        }
        // who is killed behind its copy does not delete the message
        boolean copierLives = message.copiers.stream().anyMatch(each -> !each.killed());
        if (copierLives && !message.lane.disturbed) {
            throw broken("that of " + message + " was removed, but a copy is in the dead-letter queue");
        }
    }
}
