/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Row;
import java.awt.Color;
import java.awt.Font;
import java.awt.Paint;
import java.awt.Rectangle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.general.DatasetUtils;
import org.jfree.svg.SVGGraphics2D;

/** A bar chart in SVG for each scenario: the messages per second of its rows; and the one of the README. */
final class Charts {

    private static final String UNIT = "messages/s";
    private static final int WIDTH = 760;
    private static final int MARGIN = 90;
    private static final int BAR = 26;
    private static final double LABEL_MARGIN = 0.12;
    private static final int WHOLE = 100;
    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    private static final Color OURS = new Color(0x1f6feb);
    private static final Color OTHERS = new Color(0x9aa4b2);

    private Charts() {}

    static void write(Map<String, List<Row>> scenarios, Map<String, Figures> byRow, Path folder) throws IOException {
        for (Map.Entry<String, List<Row>> scenario : scenarios.entrySet()) {
            write(folder.resolve(scenario.getKey().replace('/', '-')), scenario.getValue(), byRow);
        }
    }

    /** Writes the chart of defaults against defaults, and of tuned against tuned: the messages per second by the bars' names. */
    static void writeComparison(Map<String, Double> bars, Path folder) throws IOException {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        bars.forEach((name, perSecond) -> data.addValue(perSecond, UNIT, name));
        write(folder.resolve("defaults-and-tuned"), "Draining a backlog of single messages, 10 ms a call", data);
    }

    private static void write(Path file, List<Row> rows, Map<String, Figures> byRow) throws IOException {
        DefaultCategoryDataset bars = new DefaultCategoryDataset();
        for (Row row : rows) {
            bars.addValue(median(byRow, row.name()), UNIT, row.label());
        }
        write(file, String.valueOf(file.getFileName()), bars);
    }

    private static double median(Map<String, Figures> byRow, String row) {
        Figures figures = byRow.get(row);
        return figures == null ? 0 : figures.perSecond();
    }

    private static void write(Path file, String title, DefaultCategoryDataset bars) throws IOException {
        JFreeChart chart = chart(title + ": " + UNIT + ", median", bars);
        int height = MARGIN + BAR * bars.getColumnCount();
        SVGGraphics2D svg = new SVGGraphics2D(WIDTH, height);
        chart.draw(svg, new Rectangle(WIDTH, height));
        Path unused = Files.writeString(file.resolveSibling(file.getFileName() + ".svg"), svg.getSVGElement() + "\n");
    }

    private static JFreeChart chart(String title, CategoryDataset bars) {
        JFreeChart chart =
                ChartFactory.createBarChart(title, null, null, bars, PlotOrientation.HORIZONTAL, false, false, false);
        chart.setBackgroundPaint(Color.WHITE);
        chart.getTitle().setFont(FONT.deriveFont(Font.BOLD, 14));
        CategoryPlot plot = chart.getCategoryPlot();
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        plot.setRangeGridlinesVisible(false);
        plot.getDomainAxis().setTickLabelFont(FONT);
        plot.getDomainAxis().setMaximumCategoryLabelWidthRatio(1);
        plot.getRangeAxis().setVisible(false);
        plot.getRangeAxis().setUpperMargin(LABEL_MARGIN);
        plot.setRenderer(renderer(DatasetUtils.findMaximumRangeValue(bars).doubleValue() < WHOLE));
        return chart;
    }

    private static BarRenderer renderer(boolean fractions) {
        NumberFormat numbers = NumberFormat.getNumberInstance(Locale.ROOT);
        numbers.setMaximumFractionDigits(fractions ? 1 : 0);
        BarRenderer renderer = new OursInColour();
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator("{2}", numbers));
        renderer.setDefaultItemLabelFont(FONT);
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultPositiveItemLabelPosition(
                new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
        return renderer;
    }

    /** Paints the bars of BatchSQS in another colour. */
    private static final class OursInColour extends BarRenderer {

        private static final long serialVersionUID = 1;

        @Override
        public Paint getItemPaint(int series, int category) {
            String label = String.valueOf(getPlot().getDataset().getColumnKey(category))
                    .toLowerCase(Locale.ROOT);
            return label.contains("batchsqs") ? OURS : OTHERS;
        }
    }
}
