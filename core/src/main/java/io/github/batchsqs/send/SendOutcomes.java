/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the futures of messages. */
final class SendOutcomes {

    private static final Logger log = LoggerFactory.getLogger(BatchSqsTemplate.class);

    private SendOutcomes() {}

    /** Waits for all messages, and returns the result of each. */
    static SendResults of(List<OutgoingMessage> messages, List<CompletableFuture<SendResult>> futures)
            throws InterruptedException {
        List<SendResults.Sent> sent = new ArrayList<>(messages.size());
        List<SendResults.Failed> failed = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            OutgoingMessage message = messages.get(i);
            try {
                sent.add(new SendResults.Sent(message, futures.get(i).get()));
            } catch (ExecutionException e) {
                failed.add(new SendResults.Failed(message, causeOf(e, message)));
            }
        }
        if (!failed.isEmpty()) { // the caller may not look
            SendResults.Failed first = failed.getFirst();
            log.warn(
                    "sendAll: {} of {} messages failed, the first one to {}: {}",
                    failed.size(),
                    messages.size(),
                    first.message().queue(),
                    first.cause().getMessage());
        }
        return new SendResults(sent, failed);
    }

    /** Returns why a message was not sent. */
    static SendFailedException causeOf(ExecutionException e, OutgoingMessage message) {
        return e.getCause() instanceof SendFailedException cause
                ? cause
                : SendFailedException.before(message, "Unknown", String.valueOf(e.getCause()), false, e.getCause());
    }
}
