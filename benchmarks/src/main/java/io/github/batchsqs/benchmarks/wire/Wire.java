/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.wire;

import io.github.batchsqs.benchmarks.contestants.BatchSqsListening;
import io.github.batchsqs.benchmarks.contestants.Clients.Http;
import io.github.batchsqs.benchmarks.contestants.Senders;
import io.github.batchsqs.benchmarks.contestants.SpringListening;
import io.github.batchsqs.benchmarks.contestants.SpringSettings;
import io.github.batchsqs.benchmarks.contestants.bare.BareClient;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.Row.Contestant;
import io.github.batchsqs.benchmarks.run.Work;
import io.github.batchsqs.send.SenderOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows at 10 ms a call and 100 B: lists and single messages, standard and FIFO queues, and a burst of sends; plain and over TLS. The
 * suite {@code peer-search} has all configurations of the peers; the suite {@code wire} has them too, for {@link Search} to choose from.
 */
public final class Wire {

    /** The suite of the table. */
    public static final String SUITE = "wire";

    /** The suite that searches for the peers' best. */
    public static final String SEARCH = "peer-search";

    /** The ending of the shapes over TLS. */
    static final String TLS = "-tls";

    private static final int LATENCY_MICROS = 10_000;
    private static final int BYTES = 100;
    private static final int WINDOW = 30;

    /** As many calls at once as {@code batchsqs-200} makes. */
    private static final int RECEIVERS = 400;

    private static final int SENDERS = 200;

    /** What the quick form runs, by the ends of the names. */
    private static final List<String> QUICK = List.of(
            "receive-list-standard/bare-client-400",
            "receive-list-standard/batchsqs-200",
            "receive-list-standard/spring-2000-fixed-virtual-crt-ack-100ms",
            "receive-list-standard-tls/bare-client-400",
            "receive-list-standard-tls/batchsqs-200",
            "receive-single-standard/bare-client-400",
            "receive-single-standard/batchsqs-200",
            "receive-single-standard/spring-2000-fixed-virtual-crt-ack-100ms",
            "send-burst/batchsqs-200",
            "send-burst/sdk-batch-manager-crt");

    private final List<Row> rows = new ArrayList<>();

    private Wire() {}

    /** The rows of both suites, in the order of the tables. */
    public static List<Row> rows() {
        Wire wire = new Wire();
        for (boolean tls : new boolean[] {false, true}) {
            for (boolean fifo : new boolean[] {false, true}) {
                for (boolean list : new boolean[] {true, false}) {
                    wire.receive(list, fifo, tls);
                }
            }
            wire.send(tls);
        }
        return List.copyOf(wire.rows);
    }

    private void receive(boolean list, boolean fifo, boolean tls) {
        String shape = "receive-" + (list ? "list" : "single") + (fifo ? "-fifo" : "-standard") + (tls ? TLS : "");
        Work work = new Work.Drain(Work.FIRST_ROUND, Work.MOST, BYTES, WINDOW, Work.Handler.NOTHING, fifo);
        BatchSqsListening ours = list ? BatchSqsListening.list() : BatchSqsListening.single();
        Map<String, Contestant> all = new LinkedHashMap<>();
        all.put("bare-client-" + RECEIVERS, Contestant.of(new BareClient(RECEIVERS)));
        all.put("batchsqs", Contestant.of(ours));
        all.put("batchsqs-200", Contestant.of(ours.wide()));
        all.put("batchsqs-200-meters", Contestant.of(ours.wide().withMeters()));
        if (!tls) {
            all.put("spring", Contestant.of(SpringListening.defaults(list)));
        }
        List<SpringSettings> candidates =
                fifo ? SpringSettings.candidatesOnFifo() : SpringSettings.candidatesOnStandard();
        if (!tls && !fifo) {
            SpringSettings first = candidates.getFirst();
            all.put(first.named() + "-meters", Contestant.of(new SpringListening(list, first, true)));
        }
        Map<String, Contestant> peers = new LinkedHashMap<>();
        candidates.forEach(each -> peers.put(each.named(), Contestant.of(new SpringListening(list, each, false))));
        add(shape, work, all, peers, tls);
    }

    private void send(boolean tls) {
        Work work = new Work.Send(Work.FIRST_ROUND, Work.MOST, BYTES, 1, false);
        SenderOptions wide = SenderOptions.builder().maxInFlight(SENDERS).build();
        Map<String, Contestant> all = new LinkedHashMap<>();
        all.put("bare-client-" + SENDERS, Contestant.of(new BareClient(SENDERS).sending()));
        all.put("batchsqs", Contestant.of(Senders.batchSqsBurst(SenderOptions.defaults())));
        all.put("batchsqs-200", Contestant.of(Senders.batchSqsBurst(wide)));
        all.put("batchsqs-200-meters", Contestant.of(Senders.batchSqsBurstWithMeters(wide)));
        Map<String, Contestant> peers = new LinkedHashMap<>();
        peers.put("sdk-batch-manager-crt", Contestant.of(Senders.batchManagerBurst(Http.CRT)));
        peers.put("sdk-batch-manager-netty", Contestant.of(Senders.batchManagerBurst(Http.NETTY)));
        peers.put("spring-template-async-crt", Contestant.of(Senders.springBurst(Http.CRT)));
        peers.put("spring-template-async-netty", Contestant.of(Senders.springBurst(Http.NETTY)));
        add(tls ? "send-burst" + TLS : "send-burst", work, all, peers, tls);
    }

    private void add(String shape, Work work, Map<String, Contestant> all, Map<String, Contestant> peers, boolean tls) {
        all.forEach((name, contestant) -> rows.add(row(SUITE, shape, name, work, contestant, tls)));
        peers.forEach((name, contestant) -> rows.add(row(SUITE, shape, name, work, contestant, tls)));
        if (!tls) {
            peers.forEach((name, contestant) -> rows.add(row(SEARCH, shape, name, work, contestant, false)));
        }
    }

    private static Row row(String suite, String shape, String label, Work work, Contestant contestant, boolean tls) {
        String name = suite + "/" + shape + "/" + label;
        boolean quick = suite.equals(SUITE) && QUICK.contains(shape + "/" + label);
        return new Row(name, label, "", LATENCY_MICROS, 0, work, contestant, tls, quick);
    }
}
