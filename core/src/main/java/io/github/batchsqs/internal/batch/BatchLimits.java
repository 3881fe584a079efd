/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import java.time.Duration;

/**
 * When a batch goes out, and how large it may be.
 *
 * @param maxEntries the maximum number of entries of a call, at least 1 (SQS: 10)
 * @param maxBytes the maximum number of bytes of a call, at least 1 (SQS: 1,048,576 for a send); {@link Long#MAX_VALUE} for calls
 *     without such a limit
 * @param linger how long an entry may wait for others that fill its batch; zero sends it immediately
 */
public record BatchLimits(int maxEntries, long maxBytes, Duration linger) {}
