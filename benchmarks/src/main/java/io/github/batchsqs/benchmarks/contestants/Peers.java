/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import io.github.batchsqs.benchmarks.contestants.Clients.Http;
import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.Row.Contestant;
import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Work;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The matrix of BatchSQS and its peers: every contestant in every scenario that it can take part in. */
public final class Peers {

    private static final int WINDOW = 30;
    private static final int CALLERS = 2_000;
    private static final int SMALL = 100;
    private static final int KIB = 1_024;

    private final List<Row> rows = new ArrayList<>();

    private Peers() {}

    /** The rows, in the order of the tables. */
    public static List<Row> rows() {
        Peers peers = new Peers();
        for (boolean list : new boolean[] {true, false}) {
            for (boolean fifo : new boolean[] {false, true}) {
                for (int bytes : new int[] {SMALL, KIB}) {
                    for (Work.Handler handler : new Work.Handler[] {Work.Handler.NOTHING, Work.Handler.SLEEP_10_MS}) {
                        for (int latency : new int[] {10, 20}) {
                            peers.drain(latency, handler, list, fifo, bytes);
                        }
                    }
                }
            }
        }
        peers.toFullSpeed(
                "peers/idle-to-full-speed-170ms",
                new Work.Drain(60_000, 30_000, SMALL, WINDOW, Work.Handler.NOTHING, false, true));
        peers.toFullSpeed(
                "peers/start-to-full-speed-170ms",
                new Work.Drain(0, 30_000, SMALL, WINDOW, Work.Handler.NOTHING, false));
        for (int perSecond : new int[] {20, 200, 1_000}) {
            peers.trickle(perSecond);
        }
        peers.send(SMALL);
        peers.send(KIB);
        return List.copyOf(peers.rows);
    }

    /** Listeners by name; those of the quick form end in {@code !}. */
    private static Map<String, Listening> listeners(boolean list) {
        BatchSqsListening defaults = list ? BatchSqsListening.list() : BatchSqsListening.single();
        Map<String, Listening> all = new LinkedHashMap<>();
        all.put("bare-loop-32", new BareLoop(32));
        all.put("bare-loop-200" + (list ? "!" : ""), new BareLoop(200));
        all.put("batchsqs", defaults);
        all.put("batchsqs-200!", defaults.wide());
        all.put("batchsqs-200-sdk", defaults.wide().throughSdk());
        all.put("batchsqs-200-meters", defaults.wide().withMeters());
        all.put("spring", SpringListening.defaults(list));
        all.put("spring-500", SpringListening.tuned(list, 500, Http.NETTY, false, false));
        all.put("spring-500-fixed-virtual-crt", SpringListening.tuned(list, 500, Http.CRT, true, true));
        all.put("spring-2000", SpringListening.tuned(list, 2_000, Http.NETTY, false, false));
        all.put("spring-2000-virtual", SpringListening.tuned(list, 2_000, Http.NETTY, true, false));
        all.put("spring-2000-fixed", SpringListening.tuned(list, 2_000, Http.NETTY, false, true));
        all.put("spring-2000-fixed-virtual", SpringListening.tuned(list, 2_000, Http.NETTY, true, true));
        all.put("spring-2000-fixed-virtual-crt!", SpringListening.tuned(list, 2_000, Http.CRT, true, true));
        if (!list) {
            all.put("dynamic-200", new DynamicListening(200));
        }
        return all;
    }

    private void drain(int latency, Work.Handler handler, boolean list, boolean fifo, int bytes) {
        String scenario = "peers/drain-%dms-%s-%s-%s-%dB"
                .formatted(
                        latency,
                        handler == Work.Handler.NOTHING ? "noop" : "10ms",
                        list ? "list" : "single",
                        fifo ? "fifo" : "standard",
                        bytes);
        boolean quickScenario = latency == 10 && bytes == SMALL && handler == Work.Handler.NOTHING && list && fifo;
        listeners(list).forEach((name, listening) -> {
            Work work = new Work.Drain(Work.FIRST_ROUND, Work.MOST, bytes, WINDOW, handler, fifo);
            // Spring Cloud AWS on FIFO takes as long as two other rows
            boolean quick = quickScenario && !(fifo && name.startsWith("spring"));
            add(scenario, name, latency, work, Contestant.of(listening), quick);
        });
    }

    /** From one parked receive to as many as are needed, at a latency far above what the work costs. */
    private void toFullSpeed(String scenario, Work work) {
        toFullSpeed(scenario, "batchsqs", work, BatchSqsListening.list());
        toFullSpeed(scenario, "batchsqs-200", work, BatchSqsListening.list().wide());
        toFullSpeed(
                scenario,
                "spring-2000-fixed-virtual-crt",
                work,
                SpringListening.tuned(true, 2_000, Http.CRT, true, true));
    }

    private void toFullSpeed(String scenario, String name, Work work, Listening listening) {
        add(scenario, name, 170, work, Contestant.of(listening), false);
    }

    private void trickle(int perSecond) {
        String scenario = "peers/trickle-" + perSecond + "-10ms";
        Work work = new Work.Trickle(perSecond, 15, SMALL);
        boolean quick = perSecond == 200;
        BatchSqsListening batchSqs = BatchSqsListening.list();
        add(scenario, "bare-loop-8", 10, work, Contestant.of(new BareLoop(8)), false);
        add(scenario, "batchsqs", 10, work, Contestant.of(batchSqs), quick);
        add(scenario, "batchsqs-pace-100!", 10, work, Contestant.of(batchSqs.with(Peers::paced)), quick);
        add(scenario, "spring", 10, work, Contestant.of(SpringListening.defaults(true)), quick);
        add(
                scenario,
                "spring-2000-fixed-virtual-crt!",
                10,
                work,
                Contestant.of(SpringListening.tuned(true, 2_000, Http.CRT, true, true)),
                quick);
    }

    private static ListenerOptions.Builder paced(ListenerOptions.Builder options) {
        return options.pollers(new ListenerOptions.Pollers(1, 32, Duration.ofMillis(100)));
    }

    private void send(int bytes) {
        Work burst = new Work.Send(Work.FIRST_ROUND, Work.MOST, bytes, 1, false);
        SenderOptions defaults = SenderOptions.defaults();
        SenderOptions wide = SenderOptions.builder().maxInFlight(200).build();
        String scenario = "peers/send-burst-10ms-" + bytes + "B";
        sender(scenario, "bare-loop-64", burst, Senders.bareLoops(64), false);
        sender(scenario, "batchsqs", burst, Senders.batchSqsBurst(defaults), false);
        sender(scenario, "batchsqs-200!", burst, Senders.batchSqsBurst(wide), false);
        sender(scenario, "sdk-batch-manager-crt!", burst, Senders.batchManagerBurst(Http.CRT), false);
        sender(scenario, "sdk-batch-manager-netty", burst, Senders.batchManagerBurst(Http.NETTY), false);
        sender(scenario, "spring-template-async", burst, Senders.springBurst(Http.CRT), false);
        scenario = "peers/send-2000-callers-10ms-" + bytes + "B";
        boolean quick = bytes == SMALL;
        sender(scenario, "batchsqs", burst, Senders.batchSqsCallers(CALLERS, defaults), quick);
        sender(scenario, "batchsqs-200!", burst, Senders.batchSqsCallers(CALLERS, wide), quick);
        sender(scenario, "sdk-batch-manager-crt!", burst, Senders.batchManagerCallers(CALLERS, Http.CRT), quick);
        sender(scenario, "spring-template-send", burst, Senders.springCallers(CALLERS, Http.CRT), quick);
        sender(scenario, "spring-template-sendmany", burst, Senders.springSendMany(200, Http.CRT), quick);
    }

    private void sender(String scenario, String name, Work work, Sending sending, boolean quick) {
        add(scenario, name, 10, work, Contestant.of(sending), quick);
    }

    private void add(String scenario, String name, int latency, Work work, Contestant contestant, boolean quick) {
        boolean quickName = name.endsWith("!");
        String plain = quickName ? name.substring(0, name.length() - 1) : name;
        rows.add(new Row(
                scenario + "/" + plain, plain, "", latency * 1_000, 0, work, contestant, false, quick && quickName));
    }
}
