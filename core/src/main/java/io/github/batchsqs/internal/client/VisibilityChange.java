/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.client;

import java.time.Duration;

/**
 * One entry of a {@code ChangeMessageVisibilityBatch}.
 *
 * @param receiptHandle the message's newest handle
 * @param timeout 0 s to 12 h from the call; sent in whole seconds, rounded up
 */
public record VisibilityChange(String receiptHandle, Duration timeout) {}
