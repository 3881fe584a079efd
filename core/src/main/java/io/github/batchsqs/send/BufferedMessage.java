/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.client.SendEntry;
import java.util.concurrent.CompletableFuture;

/** A message that was checked and is ready to be sent, with the future that its sender holds. */
final class BufferedMessage {

    final OutgoingMessage message;
    final SendEntry entry;
    final long bytes;

    /**
     * Nothing inside the sender depends on it: the caller may complete, cancel or time it out, and then callbacks of the sender
     * would not run.
     */
    final CompletableFuture<SendResult> future = new CompletableFuture<>();

    /** When its sender took it; written before it is handed on. */
    long bufferedAt;

    /** How many calls carried it; written by one call after the other. */
    int calls;

    BufferedMessage(OutgoingMessage message, SendEntry entry, long bytes) {
        this.message = message;
        this.entry = entry;
        this.bytes = bytes;
    }
}
