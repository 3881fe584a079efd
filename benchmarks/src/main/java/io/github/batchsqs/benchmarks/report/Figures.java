/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Measurement;
import io.github.batchsqs.benchmarks.run.Round;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The figures of a row: medians and ranges over all rounds of all its passes.
 *
 * @param passes at least one
 */
public record Figures(List<Measurement> passes) {

    double perSecond() {
        return median(Round::perSecond);
    }

    double median(ToDoubleFunction<Round> figure) {
        return median(values(figure));
    }

    /** The lowest and the highest, or nothing if there is one round. */
    String range(ToDoubleFunction<Round> figure) {
        return range(values(figure), Figures::number);
    }

    /**
     * How often the figure of another row goes into the one of this row: the median and the range of the quotients of the passes.
     * The rounds of a pass follow one another, so a machine that becomes slower for minutes changes no quotient.
     *
     * @return empty if there is nothing to divide
     */
    String dividedBy(Figures other, ToDoubleFunction<Round> figure) {
        double[] quotients = IntStream.range(0, Math.min(passes.size(), other.passes.size()))
                .filter(pass -> other.ofPass(pass, figure) != 0)
                .mapToDouble(pass -> ofPass(pass, figure) / other.ofPass(pass, figure))
                .toArray();
        return quotients.length == 0
                ? ""
                : fixed(2, median(quotients)) + inBrackets(range(quotients, each -> fixed(2, each)));
    }

    /** The text in brackets after a space, or nothing if it is empty. */
    static String inBrackets(String text) {
        return text.isEmpty() ? "" : " (" + text + ")";
    }

    /** Whether the warm-up of each pass ended with a flat figure, as far as it is known. */
    boolean flat() {
        return passes.stream()
                .allMatch(each -> each.warmUp() == null || each.warmUp().flat());
    }

    /** The number, with one digit behind the point if it is below 100. */
    public static String number(double value) {
        return value < 100 ? fixed(1, value) : String.format(Locale.ENGLISH, "%,d", Math.round(value));
    }

    /** The number with so many digits behind the point. */
    public static String fixed(int digits, double value) {
        return String.format(Locale.ENGLISH, "%." + digits + "f", value);
    }

    private double[] values(ToDoubleFunction<Round> figure) {
        return passes.stream()
                .flatMap(each -> each.rounds().stream())
                .mapToDouble(figure)
                .toArray();
    }

    private double ofPass(int pass, ToDoubleFunction<Round> figure) {
        return median(passes.get(pass).rounds().stream().mapToDouble(figure).toArray());
    }

    private static String range(double[] values, DoubleFunction<String> text) {
        return values.length == 1
                ? ""
                : text.apply(DoubleStream.of(values).min().orElseThrow()) + "–"
                        + text.apply(DoubleStream.of(values).max().orElseThrow());
    }

    /** Returns the median, between the two middle values if their number is even. */
    public static double median(double[] values) {
        double[] sorted = DoubleStream.of(values).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
