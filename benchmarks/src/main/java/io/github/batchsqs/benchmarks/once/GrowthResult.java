/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.util.List;

/**
 * How a table has grown.
 *
 * @param row its name
 * @param what it does, for people
 * @param samples the first one before the first message
 */
public record GrowthResult(String row, String what, List<Sample> samples) {

    /**
     * The state after some messages.
     *
     * @param messages that are done: committed, or accepted by SQS
     * @param seconds since the start
     * @param rows in the table
     * @param deadRows as PostgreSQL estimates them
     * @param tableBytes without indexes
     * @param indexBytes of all indexes
     * @param autovacuums of the table since the start
     * @param millisPerTransaction the mean since the last sample
     */
    public record Sample(
            long messages,
            double seconds,
            long rows,
            long deadRows,
            long tableBytes,
            long indexBytes,
            long autovacuums,
            double millisPerTransaction) {}
}
