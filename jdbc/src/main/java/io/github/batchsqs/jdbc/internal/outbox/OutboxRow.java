/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * A row that is sent.
 *
 * @param attempts how often it failed before
 * @param unreadable why it cannot be sent as it was stored, or {@code null}
 */
record OutboxRow(
        Candidate candidate,
        StoredMessage message,
        int attempts,
        @Nullable String unreadable) {

    OutboxRow withId(long id) {
        var numbered = new Candidate(
                id, destination(), candidate.groupKey(), candidate.bytes(), candidate.owner(), candidate.later());
        return new OutboxRow(numbered, message, attempts, unreadable);
    }

    long id() {
        return candidate.id();
    }

    Destination destination() {
        return candidate.destination();
    }
}
