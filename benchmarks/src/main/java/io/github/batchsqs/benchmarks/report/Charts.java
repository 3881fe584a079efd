/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Measurement;
import io.github.batchsqs.benchmarks.run.Row;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jfree.svg.SVGGraphics2D;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;

/** A chart in SVG for each scenario: messages per second, and for the peers CPU per message too. */
final class Charts {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 480;

    private Charts() {}

    static void write(String suite, Map<String, List<Row>> scenarios, Map<String, List<Measurement>> byRow, Path folder)
            throws IOException {
        for (Map.Entry<String, List<Row>> scenario : scenarios.entrySet()) {
            String name = scenario.getKey().replace('/', '-');
            write(folder.resolve(name), scenario.getValue(), byRow, "messages/s", Measurement::perSecond);
            if (suite.equals("peers")) {
                write(
                        folder.resolve(name + "-cpu"),
                        scenario.getValue(),
                        byRow,
                        "client CPU µs per message",
                        Measurement::cpuMicrosPerMessage);
            }
        }
    }

    private static void write(
            Path file,
            List<Row> rows,
            Map<String, List<Measurement>> byRow,
            String unit,
            ToDoubleFunction<Measurement> value)
            throws IOException {
        HorizontalBarChart chart = new HorizontalBarChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(file.getFileName() + ": " + unit + " (median)")
                .xAxisTitle(unit)
                .build();
        var unusedToo = chart.getStyler().setLegendVisible(false).setChartBackgroundColor(Color.WHITE);
        var unused = chart.addSeries(
                unit,
                rows.stream()
                        .map(row -> Results.median(byRow.getOrDefault(row.name(), List.of()), value))
                        .toList(),
                rows.stream().map(Row::label).toList());
        SVGGraphics2D svg = new SVGGraphics2D(WIDTH, HEIGHT);
        chart.paint(svg, WIDTH, HEIGHT);
        Path unusedPath = Files.writeString(file.resolveSibling(file.getFileName() + ".svg"), svg.getSVGDocument());
    }
}
