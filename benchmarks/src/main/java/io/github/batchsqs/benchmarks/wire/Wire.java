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
import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Work;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows at 10 ms a call and 100 B: lists and single messages, standard and FIFO queues, and a burst of sends; plain and over TLS. The
 * suite {@code peer-search} has all configurations of the peers; the suites {@code wire} and {@code defaults} have them too, for
 * {@link Search} to choose from.
 */
public final class Wire {

    /** The suite of the table. */
    public static final String SUITE = "wire";

    /** The suite that compares defaults with defaults, and tuned with tuned. */
    public static final String DEFAULTS = "defaults";

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

    /** The ending of the rows with meters. */
    static final String METERS = "-meters";

    /** The ending of the rows that have a tracer, too. */
    static final String TRACER = "-tracer";

    /** The shapes of the quick form. */
    private static final List<String> QUICK =
            List.of("receive-list-standard", "receive-single-standard-tls", "send-burst");

    private final List<Row> rows = new ArrayList<>();

    private Wire() {}

    /** The rows of the three suites, in the order of the tables. */
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
        BatchSqsListening ours = (list ? BatchSqsListening.list() : BatchSqsListening.single()).wide();
        boolean compareMeters = !tls && !fifo;
        Map<String, Contestant> all = new LinkedHashMap<>();
        all.put("bare-client-" + RECEIVERS, Contestant.of(new BareClient(RECEIVERS)));
        if (compareMeters) {
            all.put("batchsqs-200", Contestant.of(ours));
        }
        all.put("batchsqs-200" + METERS, Contestant.of(ours.withMeters()));
        if (compareMeters) {
            all.put(
                    "batchsqs-200" + METERS + TRACER,
                    Contestant.of(ours.withMeters().withTracer()));
        }
        Map<String, Contestant> peers = new LinkedHashMap<>();
        for (SpringSettings each : fifo ? SpringSettings.candidatesOnFifo() : SpringSettings.candidatesOnStandard()) {
            peers.put(each.named(), Contestant.of(new SpringListening(list, each, false)));
            if (compareMeters) {
                all.put(each.named() + METERS, Contestant.of(new SpringListening(list, each, true)));
            }
        }
        add(shape, work, all, peers, tls);
        if (compareMeters) {
            compareDefaults(shape, work, list, ours, peers);
        }
    }

    private void compareDefaults(
            String shape, Work work, boolean list, BatchSqsListening wide, Map<String, Contestant> peers) {
        Map<String, Contestant> all = new LinkedHashMap<>();
        all.put("spring", Contestant.of(SpringListening.defaults(list)));
        all.put("batchsqs", Contestant.of(list ? BatchSqsListening.list() : BatchSqsListening.single()));
        all.putAll(peers);
        all.put("batchsqs-200", Contestant.of(wide));
        all.forEach((name, contestant) -> rows.add(row(DEFAULTS, shape, name, work, contestant, false)));
    }

    private void send(boolean tls) {
        Work work = new Work.Send(Work.FIRST_ROUND, Work.MOST, BYTES, 1, false);
        SenderOptions wide = SenderOptions.builder().maxInFlight(SENDERS).build();
        Map<String, Contestant> all = new LinkedHashMap<>();
        all.put("bare-client-" + SENDERS, Contestant.of(new BareClient(SENDERS).sending()));
        if (!tls) {
            all.put("batchsqs-200", Contestant.of(Senders.batchSqsBurst(wide)));
        }
        all.put("batchsqs-200" + METERS, Contestant.of(Senders.batchSqsBurstWithMeters(wide)));
        all.put("batchsqs-200-sendall" + METERS, Contestant.of(Senders.batchSqsSendAllWithMeters(wide)));
        Map<String, Contestant> peers = new LinkedHashMap<>();
        peers.put("sdk-batch-manager-crt", Contestant.of(Senders.batchManagerBurst(Http.CRT)));
        for (int millis : new int[] {10, 50}) {
            Sending sooner = Senders.batchManagerBurst(Http.CRT, Duration.ofMillis(millis));
            peers.put("sdk-batch-manager-crt-" + millis + "ms", Contestant.of(sooner));
        }
        peers.put("sdk-batch-manager-netty", Contestant.of(Senders.batchManagerBurst(Http.NETTY)));
        peers.put("spring-template-async-crt", Contestant.of(Senders.springBurst(Http.CRT)));
        peers.put("spring-template-async-netty", Contestant.of(Senders.springBurst(Http.NETTY)));
        peers.put("spring-template-sendmany-crt", Contestant.of(Senders.springSendMany(SENDERS, Http.CRT)));
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
        boolean quick = suite.equals(SUITE) && QUICK.contains(shape);
        return new Row(name, label, "", LATENCY_MICROS, 0, work, contestant, tls, quick);
    }
}
