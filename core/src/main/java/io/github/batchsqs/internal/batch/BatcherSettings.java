/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.Backoff;

/**
 * How a {@link Batcher} works.
 *
 * @param limits when a batch goes out and how large it may be
 * @param maxInFlight the maximum number of calls in flight, at least 1
 * @param retry the delay before an entry or a call that was refused is tried again
 * @param unknownRetry the delay before an entry is tried again on which the server may have acted, by how many calls ended so
 */
public record BatcherSettings(BatchLimits limits, int maxInFlight, Backoff retry, Backoff unknownRetry) {

    /** Retries all entries alike: the server may act on them more than once. */
    public BatcherSettings(BatchLimits limits, int maxInFlight, Backoff retry) {
        this(limits, maxInFlight, retry, retry);
    }
}
