/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.StoredMessage;
import io.github.batchsqs.send.SendResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends stored messages: the template. */
@FunctionalInterface
interface Sender {

    List<CompletableFuture<SendResult>> send(String client, List<StoredMessage> messages);
}
