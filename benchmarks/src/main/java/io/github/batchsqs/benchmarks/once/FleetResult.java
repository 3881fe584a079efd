/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * How long messages took from the commit to SQS, in the phases of a fleet.
 *
 * @param row its name
 * @param inOrder whether SQS accepted each message once, in the order of the commits
 */
public record FleetResult(String row, boolean inOrder, List<Phase> phases) {

    /**
     * A phase, with its times in milliseconds.
     *
     * @param what happens in it, for people
     * @param messages that were committed in it
     */
    public record Phase(String what, int messages, double median, double p99, double maximum) {

        static Phase of(String what, double[] millis) {
            double[] sorted = DoubleStream.of(millis).sorted().toArray();
            return new Phase(
                    what,
                    sorted.length,
                    sorted[sorted.length / 2],
                    sorted[sorted.length * 99 / 100],
                    sorted[sorted.length - 1]);
        }
    }
}
