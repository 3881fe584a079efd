/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A message to send.
 *
 * @param group the message group; on a standard queue it names a tenant and orders nothing
 * @param deduplicationId FIFO only
 * @param delay in whole seconds, up to 15 minutes; {@code null} for that of the queue
 */
public record Outgoing<P extends Payload>(
        P payload,
        @Nullable String group,
        @Nullable String deduplicationId,
        @Nullable Duration delay) {

    public Outgoing(P payload) {
        this(payload, null, null, null);
    }

    /** One for a FIFO queue. */
    public Outgoing(P payload, String group, String deduplicationId) {
        this(payload, group, deduplicationId, null);
    }
}
