/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

/**
 * How much is measured.
 *
 * @param warmUp rounds of each contestant before the first measured one, the first of which is short
 * @param rounds of each contestant
 * @param roundSeconds about how long a round of the slower contestant takes
 * @param counted messages of the round that counts statements
 * @param growth messages of a row of growth
 * @param sampleEvery messages between two samples of it
 * @param fleetSeconds of each phase of a fleet
 */
record Effort(
        int warmUp, int rounds, double roundSeconds, int counted, long growth, long sampleEvery, int fleetSeconds) {

    static final Effort FULL = new Effort(3, 5, 1.5, 10_000, 1_000_000, 100_000, 15);
    static final Effort QUICK = new Effort(2, 2, 0.5, 2_000, 20_000, 5_000, 5);
}
