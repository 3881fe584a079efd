/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.settle;

import io.github.batchsqs.client.Queue;
import java.time.Duration;

/**
 * How messages are settled.
 *
 * @param listener the listener's id, for the log
 * @param queue the queue they came from
 * @param lease the visibility timeout of a receive, and of each extension
 * @param extend whether leases are extended
 * @param maxExtension how long after its receive a lease is extended at the most
 * @param linger how long a delete or a visibility change waits for others
 * @param maxInFlight the most calls of a kind at once
 */
public record SettleSettings(
        String listener,
        Queue queue,
        Duration lease,
        boolean extend,
        Duration maxExtension,
        Duration linger,
        int maxInFlight) {}
