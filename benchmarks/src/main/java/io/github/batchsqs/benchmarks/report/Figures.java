/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Measurement;
import io.github.batchsqs.benchmarks.run.Round;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * The figures of a row: medians and ranges over all rounds of all its passes.
 *
 * @param passes at least one
 */
record Figures(List<Measurement> passes) {

    double perSecond() {
        return median(Round::perSecond);
    }

    double median(ToDoubleFunction<Round> figure) {
        return median(values(figure));
    }

    double peakRssMiB() {
        return median(passes.stream().mapToDouble(Measurement::peakRssMiB).toArray());
    }

    /** The lowest and the highest, or nothing if there is one round. */
    String range(ToDoubleFunction<Round> figure) {
        double[] values = values(figure);
        return values.length == 1
                ? ""
                : number(DoubleStream.of(values).min().orElseThrow()) + "–"
                        + number(DoubleStream.of(values).max().orElseThrow());
    }

    /** How many passes, and how many rounds in all of them. */
    String count() {
        return "%d × %d".formatted(passes.size(), Math.ceilDiv(values(Round::perSecond).length, passes.size()));
    }

    /** Whether the warm-up of each pass ended with a flat figure, as far as it is known. */
    boolean flat() {
        return passes.stream()
                .allMatch(each -> each.warmUp() == null || each.warmUp().flat());
    }

    static String number(double value) {
        return value < 100 ? fixed(1, value) : String.format(Locale.ENGLISH, "%,d", Math.round(value));
    }

    /** The number with so many digits behind the point. */
    static String fixed(int digits, double value) {
        return String.format(Locale.ENGLISH, "%." + digits + "f", value);
    }

    private double[] values(ToDoubleFunction<Round> figure) {
        return passes.stream()
                .flatMap(each -> each.rounds().stream())
                .mapToDouble(figure)
                .toArray();
    }

    private static double median(double[] values) {
        double[] sorted = DoubleStream.of(values).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
