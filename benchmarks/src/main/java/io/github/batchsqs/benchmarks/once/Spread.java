/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.benchmarks.report.Figures;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The figure of several rounds.
 *
 * @param median of them
 * @param lowest of them
 * @param highest of them
 */
record Spread(double median, double lowest, double highest) {

    static Spread of(List<Round> rounds, ToDoubleFunction<Round> figure) {
        return of(rounds.stream().mapToDouble(figure).toArray());
    }

    /** Of the quotients of the rounds that ran one after the other. */
    static Spread ofQuotients(List<Round> dividends, List<Round> divisors, ToDoubleFunction<Round> figure) {
        return of(IntStream.range(0, Math.min(dividends.size(), divisors.size()))
                .mapToDouble(i -> figure.applyAsDouble(dividends.get(i)) / figure.applyAsDouble(divisors.get(i)))
                .toArray());
    }

    private static Spread of(double[] values) {
        return new Spread(
                Figures.median(values),
                DoubleStream.of(values).min().orElseThrow(),
                DoubleStream.of(values).max().orElseThrow());
    }

    /** Returns the median, with the range in brackets. */
    String text(DoubleFunction<String> number) {
        return "%s (%s–%s)".formatted(number.apply(median), number.apply(lowest), number.apply(highest));
    }
}
