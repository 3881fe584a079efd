/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import org.jspecify.annotations.Nullable;

/**
 * A message in the outbox, without its body, which may be confidential.
 *
 * @param id the id of the row
 * @param client the client that sends it
 * @param queue the queue's name, URL or ARN
 * @param groupId the message group; {@code null} if there is none
 * @param storedAt when the transaction stored it
 * @param deliverAt when it is sent at the earliest, or {@code null}
 * @param failedAt when it was refused or parked, or {@code null} if it waits
 * @param attempts how often sending it has failed
 * @param error the reason of the last failure, or {@code null}
 */
public record OutboxMessage(
        long id,
        String client,
        String queue,
        @Nullable String groupId,
        String storedAt,
        @Nullable String deliverAt,
        @Nullable String failedAt,
        int attempts,
        @Nullable String error) {}
