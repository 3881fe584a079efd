/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.util.List;

/**
 * What became of many messages, each list in the order of sending.
 *
 * @param successful those that SQS accepted
 * @param failed those that were not accepted, or of which that is not known. Those whose cause is {@linkplain
 *     SendFailedException#retryable() retryable} may be sent again as they are; on a FIFO queue within five minutes of the first
 *     attempt, so that SQS does not deliver them twice. Later messages of their groups may have been sent meanwhile
 */
public record SendResults(List<Sent> successful, List<Failed> failed) {

    /** Copies the lists. */
    public SendResults {
        successful = List.copyOf(successful);
        failed = List.copyOf(failed);
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
