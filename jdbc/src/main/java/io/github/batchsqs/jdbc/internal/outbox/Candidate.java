/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import org.jspecify.annotations.Nullable;

/**
 * A row that may be sent, without its contents.
 *
 * @param groupKey equal for the rows of one message group of a FIFO queue; {@code null} without an order
 * @param owner the instance that sends it, which may be dead; {@code null} for any
 * @param later whether it had a later time
 */
record Candidate(
        long id,
        Destination destination,
        @Nullable String groupKey,
        long bytes,
        @Nullable String owner,
        boolean later) {

    Candidate withBytes(long other) {
        return new Candidate(id, destination, groupKey, other, owner, later);
    }
}
