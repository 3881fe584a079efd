/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.util.List;

/** A row of the suite. */
sealed interface OnceRow {

    /** Its name, with the part of the page before the slash. */
    String name();

    /**
     * Two contestants.
     *
     * @param what its messages are, for people
     * @param batch messages of an invocation at most, or of a transaction
     * @param burst messages of a round; 0 if the speed decides
     * @param start prepares them
     */
    record OfContest(String name, String what, int batch, int burst, Contest.Start start) implements OnceRow {}

    /**
     * A table that is filled.
     *
     * @param what it does, for people
     * @param table of the inbox or the outbox
     * @param settings of the application
     */
    record OfGrowth(String name, String what, String table, List<String> settings) implements OnceRow {}

    /** Instances that send to one group. */
    record OfFleet(String name) implements OnceRow {}
}
