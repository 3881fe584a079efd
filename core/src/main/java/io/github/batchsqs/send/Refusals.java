/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.events.SenderEvent;
import io.github.batchsqs.events.SenderEvents;

/** Makes the failures of messages that the template refuses before they are buffered, and counts each. */
final class Refusals {

    private Refusals() {}

    static SendFailedException closed(OutgoingMessage message, SenderEvents events) {
        events.on(new SenderEvent.Refused(SendFailedException.CLOSED));
        return SendFailedException.before(message, SendFailedException.CLOSED, "The template is closed", true, null);
    }

    /** Makes the failure, and interrupts the calling thread again. */
    static SendFailedException interrupted(OutgoingMessage message, InterruptedException e, SenderEvents events) {
        events.on(new SenderEvent.Refused(SendFailedException.INTERRUPTED));
        Thread.currentThread().interrupt();
        return SendFailedException.before(
                message,
                SendFailedException.INTERRUPTED,
                "The thread was interrupted before the message was buffered",
                true,
                e);
    }
}
