/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.reliability;

/**
 * A row of a long test of reliability, which is a line of texts with tabs between them.
 *
 * @param test the class of the test
 * @param tried what was done, and to which kind of queue
 * @param seed brings the same faults again
 * @param messages how many
 * @param faults how many of what
 * @param lost messages
 * @param again runs after the first one, with the bound
 * @param twice messages that SQS took twice, with the bound
 * @param outOfOrder messages, or that nobody guarantees it
 * @param longestStop with its unit, or a dash
 * @param calls direct, or those of the SDK
 * @param date of the run
 * @param commit of the run
 * @param server with its version
 */
record LongRow(
        String test,
        String tried,
        String seed,
        String messages,
        String faults,
        String lost,
        String again,
        String twice,
        String outOfOrder,
        String longestStop,
        String calls,
        String date,
        String commit,
        String server) {

    private static final String TAB = "\t";
    private static final int CELLS = LongRow.class.getRecordComponents().length;

    static LongRow parse(String line) {
        String[] cells = line.split(TAB, -1);
        if (cells.length != CELLS) {
            throw new IllegalArgumentException(
                    "A row of the long tests has %d texts with tabs between them, but this one has %d: '%s'. Run .ci/reliability/run --full again"
                            .formatted(CELLS, cells.length, line));
        }
        return new LongRow(
                cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8], cells[9],
                cells[10], cells[11], cells[12], cells[13]);
    }

    String line() {
        return String.join(
                TAB,
                test,
                tried,
                seed,
                messages,
                faults,
                lost,
                again,
                twice,
                outOfOrder,
                longestStop,
                calls,
                date,
                commit,
                server);
    }

    /** Whether this row is of a later run of the same test on the same server, whatever its version. */
    boolean replaces(LongRow older) {
        return test.equals(older.test) && product(server).equals(product(older.server));
    }

    private static String product(String server) {
        return server.split(" ", 2)[0];
    }
}
