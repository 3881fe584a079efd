/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.support.Check;

/**
 * How a {@link Batcher} works.
 *
 * @param limits when a batch goes out and how large it may be
 * @param maxInFlight the maximum number of calls in flight, at least 1
 * @param retry the delay before a refused entry or a failed call is tried again
 */
public record BatcherSettings(BatchLimits limits, int maxInFlight, Backoff retry) {

    public BatcherSettings {
        Check.atLeast("max-in-flight", maxInFlight, 1);
    }
}
