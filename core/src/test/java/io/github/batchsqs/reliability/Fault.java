/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import java.util.Set;

/** What a {@link FaultProxy} does to a call. "Acted" says whether the server has carried the call out. */
enum Fault {
    /** The answer comes late. */
    LATENCY,
    /** The connection is reset; not acted. */
    RESET_BEFORE,
    /** The connection is reset; acted. */
    RESET_AFTER,
    /** HTTP 500; not acted. */
    SERVER_ERROR,
    /** SQS's throttling error; not acted. */
    THROTTLE,
    /** The answer ends in its middle; acted. */
    TRUNCATED,
    /** The answer is noise; acted. */
    GARBLED,
    /** The connection stays open without an answer; not acted. */
    HALF_OPEN_BEFORE,
    /** The connection stays open without an answer; acted. */
    HALF_OPEN_AFTER,
    /** Some entries of a batch are refused; not acted on those. */
    PARTIAL_BEFORE,
    /** Some entries of a batch are refused; acted on all. */
    PARTIAL_AFTER,
    /** A message is twice in one answer. */
    DUPLICATE,
    /** The receipt handle of some entries is stale: refused on FIFO; on a standard queue accepted and not acted on. */
    STALE_HANDLE;

    /** Whether the server acts and the client is not told. */
    boolean hidesTheAnswer() {
        return this == RESET_AFTER || this == TRUNCATED || this == GARBLED || this == HALF_OPEN_AFTER;
    }

    /** The operations that it strikes, for certain if there are enough calls. */
    Set<String> operations() {
        return switch (this) {
            case PARTIAL_BEFORE, PARTIAL_AFTER ->
                Set.of("SendMessageBatch", "DeleteMessageBatch", "ChangeMessageVisibilityBatch");
            case STALE_HANDLE -> Set.of("DeleteMessageBatch");
            case DUPLICATE -> Set.of("ReceiveMessage");
            default -> Set.of("SendMessageBatch", "ReceiveMessage", "DeleteMessageBatch");
        };
    }
}
