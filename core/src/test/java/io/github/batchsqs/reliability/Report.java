/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.testkit.ElasticMqServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What came out, as rows of a table: in the log, and at the end of a file that {@code .ci/reliability/run} shows. In the long form it puts the
 * rows into docs/benchmarks/README.md.
 */
final class Report {

    private static final Path FILE = Path.of("target", "reliability.md");

    /** The same rows with tabs, for the page of the long ones. */
    private static final Path ROWS = Path.of("target", "reliability.tsv");

    private Report() {}

    /**
     * A row.
     *
     * @param test its class
     * @param tried what was done, and to which kind of queue
     * @param seed brings the same faults again
     * @param faults how many of what
     * @param rerun runs beyond the first, with the most that there may be
     * @param sentTwice likewise
     * @param outOfOrder how many, or that it is not guaranteed
     * @param longestStop with its unit, or a dash
     */
    record Row(
            Class<?> test,
            String tried,
            long seed,
            int messages,
            String faults,
            int lost,
            String rerun,
            String sentTwice,
            String outOfOrder,
            String longestStop) {}

    /** A figure, and the most that explains itself. */
    static String bounded(int figure, int bound) {
        return figure + " (" + bound + ")";
    }

    /** Of a FIFO queue the figure, and whether the server is to blame; of a standard one that nobody promises it. */
    static String outOfOrder(int figure, Queue queue, ElasticMqServer server) {
        if (!queue.fifo()) {
            return "not guaranteed";
        }
        return figure + (server.keepsOrderOfWhatIsGivenBack() ? "" : " (the server does not keep it)");
    }

    static synchronized void add(Row row) {
        String line = "| %s | %d | %d | %s | %d | %s | %s | %s | %s |"
                .formatted(
                        row.tried(),
                        row.seed(),
                        row.messages(),
                        row.faults(),
                        row.lost(),
                        row.rerun(),
                        row.sentTwice(),
                        row.outOfOrder(),
                        row.longestStop());
        line(line);
        append(
                ROWS,
                String.join(
                        "\t",
                        row.test().getSimpleName(),
                        row.tried(),
                        Long.toString(row.seed()),
                        Integer.toString(row.messages()),
                        row.faults(),
                        Integer.toString(row.lost()),
                        row.rerun(),
                        row.sentTwice(),
                        row.outOfOrder(),
                        row.longestStop(),
                        calls()));
    }

    /** Through which client the tests call SQS; they all make it the same way. */
    private static String calls() {
        return ElasticMqServer.shared().queueClient() instanceof DirectQueueClient ? "direct" : "AWS SDK";
    }

    /** A line that is no row of the table. */
    static synchronized void line(String line) {
        System.out.println("reliability: " + line);
        append(FILE, line);
    }

    private static void append(Path file, String line) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(
                    file, line + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
