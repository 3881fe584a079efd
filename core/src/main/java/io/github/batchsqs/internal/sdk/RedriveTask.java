/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task that moves the messages of a dead-letter queue. The counts are SQS's estimates.
 *
 * @param handle names the task; only while it runs
 * @param status {@code RUNNING}, {@code COMPLETED}, {@code CANCELLING}, {@code CANCELLED} or {@code FAILED}
 * @param destination the ARN of the queue where messages go, or {@code null} for the one that each came from
 * @param moved how many messages it has moved
 * @param toMove how many there were when it started, or {@code null} if SQS does not report it
 * @param startedAt when it started
 * @param failureReason why it failed
 */
public record RedriveTask(
        @Nullable String handle,
        String status,
        @Nullable String destination,
        long moved,
        @Nullable Long toMove,
        @Nullable Instant startedAt,
        @Nullable String failureReason) {

    /** {@return whether the task moves messages now} */
    public boolean running() {
        return status.equals("RUNNING");
    }
}
