/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.benchmarks.once.OnceRow.OfContest;
import io.github.batchsqs.benchmarks.once.OnceRow.OfFleet;
import io.github.batchsqs.benchmarks.once.OnceRow.OfGrowth;
import java.util.ArrayList;
import java.util.List;

/** The rows of the suite, in the order of the page. */
final class OnceRows {

    static final String INBOX = "inbox";
    static final String OUTBOX = "outbox";
    static final String GROWTH = "growth";

    /** Messages, below the maximum of two cores, so that rows take minutes and autovacuum, which looks once a minute, runs several times. */
    static final double PER_SECOND = 6_000;

    private static final int LARGEST = 100;
    private static final int[] BATCHES = {1, 10, LARGEST};
    private static final int BURST = 20_000;

    private OnceRows() {}

    static List<OnceRow> all() {
        List<OnceRow> rows = new ArrayList<>();
        for (int batch : BATCHES) {
            rows.add(new OfContest(INBOX + "/batch-" + batch, Integer.toString(batch), batch, 0, InboxContest::new));
        }
        for (int batch : BATCHES) {
            rows.add(new OfContest(
                    OUTBOX + "/batch-" + batch,
                    Integer.toString(batch),
                    batch,
                    0,
                    (servers, size, count) -> new OutboxContest(servers, size, BoundedSender.WAITING, count)));
        }
        rows.add(new OfContest(
                OUTBOX + "/burst",
                "100, a burst of %,d".formatted(BURST),
                LARGEST,
                BURST,
                (servers, size, count) -> new OutboxContest(servers, size, BURST, count)));
        rows.add(new OfContest(
                OUTBOX + "/open-transaction",
                "100, beside an open transaction",
                LARGEST,
                0,
                (servers, size, count) ->
                        new OpenTransaction(servers, new OutboxContest(servers, size, BoundedSender.WAITING, count))));
        rows.add(new OfFleet(OUTBOX + "/fleet"));
        rows.add(new OfGrowth(
                GROWTH + "/inbox",
                "The inbox, `inbox.retention: 1m`",
                InboxLoad.TABLE,
                List.of("--batchsqs.jdbc.inbox.retention=1m")));
        rows.add(new OfGrowth(
                GROWTH + "/inbox-kept",
                "The inbox with a retention longer than the row",
                InboxLoad.TABLE,
                List.of("--batchsqs.jdbc.inbox.retention=14d")));
        rows.add(new OfGrowth(
                GROWTH + "/outbox", "The outbox", OutboxLoad.TABLE, List.of("--batchsqs.sender.transactional=outbox")));
        return rows;
    }
}
