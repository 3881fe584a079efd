/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import org.jspecify.annotations.Nullable;

/**
 * A message that was refused for itself and stays in the outbox, without its body, which may be confidential.
 *
 * @param id the id of the row
 * @param client the client that sends it
 * @param queue the name of the queue
 * @param groupId the message group; {@code null} if there is none
 * @param storedAt when the transaction stored it
 * @param failedAt when it was refused
 * @param attempts how often it was sent
 * @param error the reason
 */
public record FailedMessage(
        long id,
        String client,
        String queue,
        @Nullable String groupId,
        String storedAt,
        String failedAt,
        int attempts,
        @Nullable String error) {}
