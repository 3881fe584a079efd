/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.Random;

/**
 * What the network and the service are like. Chances are between 0 and 1.
 *
 * @param latencyMicros what each call takes; half before it takes effect, half after
 * @param spreadMicros how far a call may be off that, either way, evenly spread
 * @param connectMicros what the first call on a connection takes beyond that
 * @param shortBatches the chance of a receive on a standard queue to bring fewer messages than there are
 * @param throttles the chance of a call to be throttled
 * @param errors the probability of a response with status 500
 * @param refusals the chance of an entry of a batch to be refused, not by the sender's fault
 */
record Conditions(
        long latencyMicros,
        long spreadMicros,
        long connectMicros,
        double shortBatches,
        double throttles,
        double errors,
        double refusals) {

    static final Conditions IDEAL = new Conditions(0, 0, 0, 0, 0, 0, 0);

    /** The latency of one call. */
    long draw(Random random) {
        return spreadMicros == 0
                ? latencyMicros
                : Math.max(0, latencyMicros - spreadMicros + random.nextLong(2 * spreadMicros + 1));
    }
}
