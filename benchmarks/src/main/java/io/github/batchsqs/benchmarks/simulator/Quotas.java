/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

/**
 * What SQS permits.
 *
 * @param inFlight the messages of a queue that may be in flight
 * @param fifoCalls the calls per second that a FIFO queue permits for each of send, receive and delete, or for each of them and
 *     partition if it has high throughput; 0 for no limit
 * @param partitions of a FIFO queue with high throughput
 * @param clockSkewSeconds how far the date of a signature may be off; 0 for no limit
 */
record Quotas(int inFlight, int fifoCalls, int partitions, int clockSkewSeconds) {

    /** Those that limit no row of a single process. */
    static final Quotas USUAL = new Quotas(120_000, 0, 1, 0);
}
