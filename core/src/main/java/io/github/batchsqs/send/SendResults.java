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

    public SendResults {
        successful = List.copyOf(successful);
        failed = List.copyOf(failed);
    }

    /** Whether every message was accepted. */
    public boolean allSuccessful() {
        return failed.isEmpty();
    }

    /**
     * The failed messages that may be sent again as they are, see {@link SendFailedException#retryable()}.
     *
     * <p>On a FIFO queue do so within five minutes of the first try: until then a message that did arrive is not delivered
     * twice. Later messages of its group may have been sent meanwhile.
     */
    public List<OutgoingMessage> retriable() {
        return failed.stream()
                .filter(each -> each.cause().retryable())
                .map(Failed::message)
                .toList();
    }

    /** A message that SQS accepted. */
    public record Sent(OutgoingMessage message, SendResult result) {}

    /** A message that failed. */
    public record Failed(OutgoingMessage message, SendFailedException cause) {}
}
