/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.Backoff;
import java.time.Duration;

/**
 * How a {@link Batcher} works.
 *
 * @param linger how long an entry may wait for others that fill its batch; zero sends it immediately
 * @param maxInFlight the maximum number of calls in flight, at least 1
 * @param retry the delay before an entry or a call that was refused is tried again
 * @param unknownRetry the delay before an entry is tried again on which the server may have acted, by how many calls ended so
 */
public record BatcherSettings(Duration linger, int maxInFlight, Backoff retry, Backoff unknownRetry) {

    /** Retries all entries alike: the server may act on them more than once. */
    public BatcherSettings(Duration linger, int maxInFlight, Backoff retry) {
        this(linger, maxInFlight, retry, retry);
    }
}
