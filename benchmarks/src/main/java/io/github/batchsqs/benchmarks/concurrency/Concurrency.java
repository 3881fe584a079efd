/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.concurrency;

import io.github.batchsqs.benchmarks.contestants.BatchSqsListening;
import io.github.batchsqs.benchmarks.contestants.Clients.Http;
import io.github.batchsqs.benchmarks.contestants.SpringListening;
import io.github.batchsqs.benchmarks.ladder.OneByOne;
import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.Row.Contestant;
import io.github.batchsqs.benchmarks.run.Work;
import io.github.batchsqs.listener.ListenerOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * A default listener, whose concurrency is automatic, and fixed numbers where the number of invocations matters: on the rung of the ladder
 * with 50 workers, on drains of the peers, and on a pool of ten connections. Beside them the rung, and the peers' best.
 */
public final class Concurrency {

    /** The suite. */
    public static final String SUITE = "concurrency";

    private static final int HTTP_MICROS = 20_000;
    private static final int PEERS_MICROS = 10_000;
    private static final int BYTES = 100;
    private static final int PEERS_WINDOW = 30;
    private static final int RUNG_WINDOW = 8;
    private static final int LATER_WINDOW = 20;
    private static final int POOL_WINDOW = 9;
    private static final int POOL = 10;

    /** What the quick form runs, by the ends of the names. */
    private static final List<String> QUICK = List.of(
            "300ms/self-polling-50",
            "300ms/batchsqs-16",
            "300ms/batchsqs",
            "20ms/batchsqs-10",
            "20ms/batchsqs-16",
            "20ms/batchsqs");

    private final List<Row> rows = new ArrayList<>();

    private Concurrency() {}

    /** The rows, in the order of the tables. */
    public static List<Row> rows() {
        Concurrency concurrency = new Concurrency();
        concurrency.rung();
        concurrency.pool();
        concurrency.drainsOfSingleMessages();
        concurrency.drainsOfLists();
        return List.copyOf(concurrency.rows);
    }

    /** No limit but the number. A row of a new listener has no warm-up: it begins with 16 at once. */
    private void rung() {
        String scenario = SUITE + "/handler-calls-http-300ms";
        calls(scenario + "/self-polling-50", "50 self-polling workers", new OneByOne(50), 2_000);
        calls(scenario + "/batchsqs-16", "BatchSQS, concurrency 16", fixed(16), 2_000);
        calls(scenario + "/batchsqs-50", "BatchSQS, concurrency 50", fixed(50), 2_000);
        calls(scenario + "/batchsqs-200", "BatchSQS, concurrency 200", fixed(200), 8_000);
        calls(scenario + "/batchsqs", "BatchSQS, defaults, a new listener", BatchSqsListening.single(), 8_000);
        Work later = new Work.Drain(15_000, 15_000, BYTES, LATER_WINDOW, Work.Handler.CALL_300_MS, false);
        add(
                scenario + "/batchsqs-20s",
                "BatchSQS, defaults, after 20 s",
                HTTP_MICROS,
                later,
                BatchSqsListening.single());
    }

    private void calls(String name, String label, Listening listening, int messages) {
        Work work = new Work.Drain(20, messages, BYTES, RUNG_WINDOW, Work.Handler.CALL_300_MS, false);
        add(name, label, HTTP_MICROS, work, listening);
    }

    /** Beyond ten, invocations only wait. The warm-up lets the defaults find their number. */
    private void pool() {
        String scenario = SUITE + "/pool-of-10-20ms";
        pooled(scenario + "/batchsqs-10", "BatchSQS, concurrency 10", fixed(POOL));
        pooled(scenario + "/batchsqs-16", "BatchSQS, concurrency 16", fixed(16));
        pooled(scenario + "/batchsqs", "BatchSQS, defaults", BatchSqsListening.single());
        pooled(scenario + "/spring", "Spring Cloud AWS, defaults (10 messages)", SpringListening.defaults(false));
        pooled(
                scenario + "/spring-20-fixed-virtual-crt",
                "Spring Cloud AWS, 20 messages, tuned",
                SpringListening.tuned(false, 2 * POOL, Http.CRT, true, true));
    }

    private void pooled(String name, String label, Listening listening) {
        Work work = new Work.Drain(2_500, 4_000, BYTES, POOL_WINDOW, Work.Handler.CALL_20_MS_POOL_OF_10, false);
        add(name, label, PEERS_MICROS, work, listening);
    }

    private void drainsOfSingleMessages() {
        String scenario = SUITE + "/drain-10ms-10ms-single-standard-100B";
        drain(scenario + "/batchsqs-16", "BatchSQS, concurrency 16", fixed(16));
        drain(scenario + "/batchsqs", "BatchSQS, defaults", BatchSqsListening.single());
        drain(scenario, BatchSqsListening.single().wide(), SpringListening.tuned(false, 2_000, Http.CRT, true, true));
    }

    private void drainsOfLists() {
        drain(
                SUITE + "/drain-10ms-10ms-list-standard-100B",
                BatchSqsListening.list().wide(),
                SpringListening.tuned(true, 2_000, Http.CRT, true, true));
    }

    private void drain(String scenario, BatchSqsListening wide, SpringListening spring) {
        drain(scenario + "/batchsqs-200", "BatchSQS, 200 pollers, concurrency 200", wide);
        drain(scenario + "/batchsqs-200-auto", "BatchSQS, 200 pollers and auto", automatic(wide));
        drain(scenario + "/spring-2000-fixed-virtual-crt", "Spring Cloud AWS, 2,000 messages, tuned", spring);
    }

    private void drain(String name, String label, Listening listening) {
        Work work = new Work.Drain(Work.FIRST_ROUND, Work.MOST, BYTES, PEERS_WINDOW, Work.Handler.SLEEP_10_MS, false);
        add(name, label, PEERS_MICROS, work, listening);
    }

    private static Listening fixed(int concurrency) {
        return BatchSqsListening.single().with(options -> options.concurrency(concurrency));
    }

    private static Listening automatic(BatchSqsListening listening) {
        return listening.with(options -> options.concurrency(ListenerOptions.AUTO_CONCURRENCY));
    }

    private void add(String name, String label, int latency, Work work, Listening listening) {
        boolean quick = QUICK.stream().anyMatch(name::endsWith);
        rows.add(new Row(name, label, "", latency, 0, work, Contestant.of(listening), false, quick));
    }
}
