/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.util.List;

/**
 * How a row was warmed up.
 *
 * @param rounds how many
 * @param seconds they took
 * @param flat whether the figure was flat in the end; otherwise there were as many rounds as were allowed
 */
public record WarmUp(int rounds, double seconds, boolean flat) {

    private static final int LAST = 3;
    private static final double TOLERANCE = 1.05;

    /**
     * Returns whether the last three figures are within 5 % of each other and do not rise from one to the next.
     *
     * @param perSecond the messages per second of all rounds so far
     */
    static boolean isFlat(List<Double> perSecond) {
        if (perSecond.size() < LAST) {
            return false;
        }
        List<Double> last = perSecond.subList(perSecond.size() - LAST, perSecond.size());
        double lowest = last.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        double highest = last.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        boolean rising = last.get(0) < last.get(1) && last.get(1) < last.get(2);
        return highest <= TOLERANCE * lowest && !rising;
    }
}
