/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.util.List;

/**
 * What became of many messages, each list in the order of sending.
 *
 * @param successful those that SQS accepted
 * @param failed those that were not accepted, or of which that is not known
 */
public record SendResults(List<Sent> successful, List<Failed> failed) {

    /** Copies the lists. */
    public SendResults {
        successful = List.copyOf(successful);
        failed = List.copyOf(failed);
    }

    /** {@return whether SQS accepted every message} */
    public boolean allSuccessful() {
        return failed.isEmpty();
    }

    /**
     * Returns the failed messages that may be sent again as they are, see {@link SendFailedException#retryable()}.
     *
     * <p>On a FIFO queue, send them again within five minutes of the first attempt: until then SQS does not deliver a
     * message twice if it had accepted it. Later messages of its group may have been sent meanwhile.
     *
     * @return the messages in the order of sending
     */
    public List<OutgoingMessage> retriable() {
        return failed.stream()
                .filter(each -> each.cause().retryable())
                .map(Failed::message)
                .toList();
    }

    /**
     * A message that SQS accepted.
     *
     * @param message the message
     * @param result the ids that SQS assigned
     */
    public record Sent(OutgoingMessage message, SendResult result) {}

    /**
     * A message that failed.
     *
     * @param message the message
     * @param cause the failure
     */
    public record Failed(OutgoingMessage message, SendFailedException cause) {}
}
