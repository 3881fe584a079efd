/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

import io.github.batchsqs.benchmarks.contestants.BatchSqsListening;
import io.github.batchsqs.benchmarks.contestants.Senders;
import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.Row.Contestant;
import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Work;
import io.github.batchsqs.send.SenderOptions;
import java.util.ArrayList;
import java.util.List;

/** All rungs. In each scenario the row {@code batchsqs} does the same work with BatchSQS at its defaults. */
public final class Ladder {

    private static final int FAR_MICROS = 170_000;
    private static final int HTTP_MICROS = 20_000;
    private static final int FIFO_MICROS = 130_000;
    private static final int LARGE_MICROS = 14_000;
    private static final int LARGE_CONNECT_MICROS = 50_000;
    private static final int SWEEP_MICROS = 3_000;
    private static final int LARGE_BYTES = 26_000;
    private static final int SMALL_BYTES = 100;
    private static final int WINDOW = 12;
    private static final int GROUPS = 20;

    /** What the quick form runs, by the ends of the names. */
    private static final List<String> QUICK = List.of(
            "consumer-170ms/one-by-one",
            "170ms/channel-10",
            "170ms/batchsqs",
            "fifo-130ms/groups",
            "fifo-130ms/batchsqs",
            "14ms/batch",
            "14ms/batchsqs",
            "3ms/sendall-100",
            "3ms/batchsqs");

    private final List<Row> rows = new ArrayList<>();

    private Ladder() {}

    /** The rows, in the order of the tables. */
    public static List<Row> rows() {
        Ladder ladder = new Ladder();
        ladder.consumers();
        ladder.consumersThatCall();
        ladder.fifoProducers();
        ladder.largeMessages();
        ladder.sweep();
        return List.copyOf(ladder.rows);
    }

    private void consumers() {
        String scenario = "ladder/consumer-170ms";
        far(scenario + "/one-by-one", "one by one", "2/s", new OneByOne(1), 200);
        far(scenario + "/batch-receive", "batch receive, single deletes", "5/s", new WorkerPool(1, false), 400);
        far(scenario + "/pool-3", "3 workers, single deletes", "16/s", new WorkerPool(3, false), 1_000);
        far(scenario + "/pool-5", "5 workers, single deletes", "26/s", new WorkerPool(5, false), 1_000);
        far(scenario + "/pool-10", "10 workers, single deletes", "47/s", new WorkerPool(10, false), 2_000);
        far(scenario + "/pool-5-batch", "5 workers, batch delete", "125/s", new WorkerPool(5, true), 2_500);
        far(scenario + "/channel-5", "5 fetchers → channel → 5 deleters", "200/s", new Channel(5), 4_000);
        far(scenario + "/channel-10", "10 fetchers → channel → 10 deleters", "250/s", new Channel(10), 8_000);
        far(scenario + "/batchsqs", "BatchSQS, defaults", "", BatchSqsListening.list(), 12_000);
        scenario = "ladder/consumer-170ms-100000";
        far(scenario + "/channel-10", "10 fetchers → channel → 10 deleters", "564/s", new Channel(10), 100_000);
        far(scenario + "/batchsqs", "BatchSQS, defaults", "", BatchSqsListening.list(), 100_000);
    }

    private void far(String name, String label, String published, Listening listening, int messages) {
        Work work = new Work.Drain(20, messages, SMALL_BYTES, WINDOW, Work.Handler.NOTHING, false);
        add(name, label, published, FAR_MICROS, 0, work, Contestant.of(listening));
    }

    private void consumersThatCall() {
        String scenario = "ladder/handler-calls-http-300ms";
        calls(scenario + "/synchronous", "synchronous", "160/min", new OneByOne(1), 300);
        calls(scenario + "/counter-50", "counter-limited, 50 at once", "2,700/min", new OnePoller(50, false), 2_000);
        calls(scenario + "/pool-50", "pool of 50 fed by one poller", "2,766/min", new OnePoller(50, true), 2_000);
        calls(scenario + "/self-polling-50", "50 self-polling workers", "6,750/min", new OneByOne(50), 2_000);
        calls(scenario + "/batchsqs", "BatchSQS, defaults (from 16 up)", "", BatchSqsListening.single(), 2_000);
        calls(
                scenario + "/batchsqs-50",
                "BatchSQS, concurrency 50",
                "",
                BatchSqsListening.single().with(options -> options.concurrency(50)),
                2_000);
        calls(
                scenario + "/batchsqs-200",
                "BatchSQS, concurrency 200",
                "",
                BatchSqsListening.single().with(options -> options.concurrency(200)),
                8_000);
    }

    private void calls(String name, String label, String published, Listening listening, int messages) {
        Work work = new Work.Drain(20, messages, SMALL_BYTES, WINDOW, Work.Handler.CALL_300_MS, false);
        add(name, label, published, HTTP_MICROS, 0, work, Contestant.of(listening));
    }

    private void fifoProducers() {
        String scenario = "ladder/producer-fifo-130ms";
        fifo(
                scenario + "/one-by-one",
                "one by one (100 of the 924)",
                "924 in 120 s, 924 calls",
                new SendOneByOne(1),
                100);
        fifo(scenario + "/batches", "batches with deterministic ids", "93 calls", new SendBatches(1), 924);
        fifo(scenario + "/groups", "batches in parallel over 20 groups", "", new SendGroups(), 924);
        fifo(scenario + "/batchsqs", "BatchSQS, defaults: sendAll", "", Senders.batchSqsSendAll(924), 924);
        fifo(
                scenario + "/batchsqs-send",
                "BatchSQS, defaults: send, futures joined at the end",
                "",
                Senders.batchSqsBurst(SenderOptions.defaults()),
                924);
        scenario = "ladder/producer-fifo-130ms-bulk";
        fifo(
                scenario + "/workers-20",
                "20 batch workers (20,000 messages)",
                "100,000 in 84.7 s",
                new SendBatches(20),
                20_000);
        fifo(
                scenario + "/batchsqs",
                "BatchSQS, defaults (20,000 messages)",
                "",
                Senders.batchSqsBurst(SenderOptions.defaults()),
                20_000);
    }

    private void fifo(String name, String label, String published, Sending sending, int messages) {
        Work work = new Work.Send(40, messages, SMALL_BYTES, messages > 10_000 ? 1_000 : GROUPS, true);
        add(name, label, published, FIFO_MICROS, 0, work, Contestant.of(sending));
    }

    private void largeMessages() {
        String scenario = "ladder/producer-26000B-14ms";
        large(
                scenario + "/new-connections",
                "a new connection for each call",
                "15.7/s",
                new SendOnNewConnections(),
                100);
        large(scenario + "/kept-connection", "kept connection", "71.6/s", new SendOneByOne(1), 500);
        large(scenario + "/batch", "batches", "126.5/s", new SendBatches(1), 3_000);
        large(
                scenario + "/batchsqs",
                "BatchSQS, defaults",
                "",
                Senders.batchSqsBurst(SenderOptions.defaults()),
                20_000);
    }

    private void large(String name, String label, String published, Sending sending, int messages) {
        Work work = new Work.Send(50, messages, LARGE_BYTES, 1, false);
        add(name, label, published, LARGE_MICROS, LARGE_CONNECT_MICROS, work, Contestant.of(sending));
    }

    private void sweep() {
        String scenario = "ladder/publishing-3ms";
        sweep(scenario + "/sequential", "sequential", "about 320/s", new SendOneByOne(1), 1_000);
        for (int threads : new int[] {4, 8, 16, 32}) {
            sweep(scenario + "/threads-" + threads, threads + " threads", "", new SendOneByOne(threads), 500 * threads);
        }
        for (int size : new int[] {10, 50, 100, 200, 500, 1_000}) {
            String published = switch (size) {
                case 100 -> "×100";
                case 1_000 -> "×700";
                default -> "";
            };
            sweep(
                    scenario + "/sendall-" + size,
                    "BatchSQS sendAll of " + size,
                    published,
                    Senders.batchSqsSendAll(size),
                    300 * size);
        }
        sweep(
                scenario + "/batchsqs",
                "BatchSQS send, futures joined at the end",
                "",
                Senders.batchSqsBurst(SenderOptions.defaults()),
                100_000);
    }

    private void sweep(String name, String label, String published, Sending sending, int messages) {
        Work work = new Work.Send(Math.min(20_000, messages), messages, SMALL_BYTES, 1, false);
        add(name, label, published, SWEEP_MICROS, 0, work, Contestant.of(sending));
    }

    private void add(
            String name, String label, String published, int latency, int connect, Work work, Contestant contestant) {
        boolean quick = QUICK.stream().anyMatch(name::endsWith);
        rows.add(new Row(name, label, published, latency, connect, work, contestant, false, quick));
    }
}
