/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.testkit.ElasticMqServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What came out, as rows of the table in docs/reliability.md: in the log, and at the end of a file that
 * {@code .ci/reliability/run} shows.
 */
final class Report {

    private static final Path FILE = Path.of("target", "reliability.md");

    private Report() {}

    /**
     * A row.
     *
     * @param tried what was done, and to which kind of queue
     * @param seed brings the same faults again
     * @param faults how many of what
     * @param rerun runs beyond the first, with the most that there may be
     * @param sentTwice likewise
     * @param outOfOrder how many, or that it is not guaranteed
     * @param longestStop with its unit, or a dash
     */
    record Row(
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
    }

    /** A line that is no row of the table. */
    static synchronized void line(String line) {
        System.out.println("reliability: " + line);
        try {
            Files.createDirectories(FILE.getParent());
            Files.writeString(
                    FILE, line + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
