/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.benchmarks.simulation.SimulationRow.Load;
import io.github.batchsqs.benchmarks.simulation.SimulationRow.Work;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All rows of the simulation. Rows whose names the suite {@code cluster} has, too, are the same there with processes. */
final class SimulationRows {

    private static final int PROCESSES = 16;
    private static final int MANY = 200;
    private static final int FEW = 8;
    private static final int PER_SECOND = 100_000;
    private static final int PER_CALL = 10;
    private static final int POLLERS = 32;

    private static final Network LIKE_PROCESSES = Network.fixed(5);
    private static final Work TENTH = new Work(100, false);
    private static final Work SECOND = new Work(1_000, false);

    private final List<SimulationRow> rows = new ArrayList<>();

    private SimulationRows() {}

    static List<SimulationRow> all() {
        SimulationRows all = new SimulationRows();
        all.likeProcesses();
        all.many();
        all.pollers();
        all.sizes();
        all.inFlight();
        all.calls();
        return List.copyOf(all.rows);
    }

    private void likeProcesses() {
        ListenerOptions single = SimulationRow.defaults().batchSize(1).build();
        for (int n = 1; n <= PROCESSES; n *= 2) {
            Load backlog = new Load.Backlog(1_600 * n);
            add("drain/" + n, instances(n), n, single, LIKE_PROCESSES, backlog, TENTH, n == 2);
        }
        for (int n = 1; n <= PROCESSES; n *= 2) {
            Load steady = new Load.Steady(96 * n, 1, false, 0, 10);
            add("steady/" + n, instances(n), n, single, LIKE_PROCESSES, steady, TENTH, n == 2);
        }
        Load idle = new Load.Idle(40);
        add("idle/16", "16 instances, 40 s", PROCESSES, single, LIKE_PROCESSES, idle, TENTH, true);
        for (int messages : new int[] {1_000, 100}) {
            String what = "%,d messages of 1 s, 16 instances".formatted(messages);
            Load backlog = new Load.Backlog(messages);
            add("backlog/" + messages + "x1s", what, PROCESSES, single, LIKE_PROCESSES, backlog, SECOND, false);
        }
        add(
                "quota/in-flight",
                "at most 200 messages in flight, 16 instances",
                PROCESSES,
                single,
                LIKE_PROCESSES.withMaxInFlight(200),
                new Load.Backlog(8_000),
                TENTH,
                false);
        add(
                "quota/short",
                "half of the responses are short, 16 instances",
                PROCESSES,
                single,
                LIKE_PROCESSES.withShortResponses(0.5),
                new Load.Backlog(25_600),
                TENTH,
                false);
    }

    private void many() {
        ListenerOptions single = SimulationRow.defaults().batchSize(1).build();
        Work work = new Work(20, true);
        many("tens", "invocations of one message, 20 ms; messages arrive in tens", 10, single, Network.PUBLISHED, work);
        many("singles", "the same; messages arrive one by one", 1, single, Network.PUBLISHED, work);
        Network half = Network.PUBLISHED.withShortResponses(0.5);
        many("short", "the same in tens; half of the responses are short", 10, single, half, work);
        ListenerOptions batches = SimulationRow.defaults()
                .batchSize(100)
                .batchLinger(Duration.ofMillis(200))
                .build();
        Work work40 = new Work(40, true);
        many(
                "batches",
                "invocations of up to 100, 40 ms, a linger of 200 ms; in tens",
                10,
                batches,
                Network.PUBLISHED,
                work40);
        add(
                "many/backlog",
                "invocations of one message, 20 ms; a backlog of 320,000",
                MANY,
                single,
                Network.PUBLISHED,
                new Load.Backlog(320_000),
                new Work(20, false),
                false);
    }

    private void many(String name, String what, int together, ListenerOptions options, Network network, Work work) {
        Load load = new Load.Steady(PER_SECOND, together, true, 2, 4);
        add("many/" + name, what, MANY, options, network, load, work, false);
    }

    /** The table of maximum rates. */
    private void pollers() {
        ListenerOptions defaults = SimulationRow.defaults().build();
        for (int millis : new int[] {5, 10, 50, 170}) {
            int expected = PER_CALL * POLLERS * 1_000 / millis;
            Load backlog = new Load.Backlog(10 * expected);
            Network network = Network.fixed(millis);
            String what = millis + " ms a call";
            add("pollers/" + millis + "ms", what, 1, defaults, network, backlog, new Work(0, false), millis == 170);
        }
        Network spread = Network.PUBLISHED;
        Load backlog = new Load.Backlog((int) (10 * PER_CALL * POLLERS * 1_000 / spread.meanMillis()));
        add("pollers/published", "as published", 1, defaults, spread, backlog, new Work(0, false), false);
        ListenerOptions permits = defaults.toBuilder().concurrency(100).build();
        String what = "as published, `concurrency: 100`";
        add("pollers/permits", what, 1, permits, spread, backlog, new Work(0, false), false);
    }

    /** How much more than the formulas is enough. */
    private void sizes() {
        for (double times : new double[] {1, 1.25, 1.5, 2}) {
            String factor = String.format(Locale.ENGLISH, "%.2f", times);
            int calls = (int) Math.ceil(times * PER_SECOND / FEW * Network.PUBLISHED.meanMillis() / 1_000 / PER_CALL);
            ListenerOptions options = SimulationRow.defaults()
                    .batchSize(100)
                    .batchLinger(Duration.ofMillis(50))
                    .concurrency(12)
                    .pollers(1, calls)
                    .build();
            size(
                    "pollers-" + factor,
                    "%s × the pollers and deletes: %d".formatted(factor, calls),
                    FEW,
                    options,
                    new Work(40, true));
        }
        for (double times : new double[] {1, 1.25, 1.5, 2}) {
            String factor = String.format(Locale.ENGLISH, "%.2f", times);
            int invocations = (int) Math.ceil(times * PER_SECOND / MANY * 0.1);
            ListenerOptions options = SimulationRow.defaults()
                    .batchSize(1)
                    .concurrency(invocations)
                    .build();
            size(
                    "invocations-" + factor,
                    "%s × the invocations: %d".formatted(factor, invocations),
                    MANY,
                    options,
                    new Work(100, true));
        }
    }

    private void size(String name, String what, int n, ListenerOptions options, Work work) {
        Load load = new Load.Steady(PER_SECOND, PER_CALL, true, 2, 4);
        add("size/" + name, what, n, options, Network.PUBLISHED, load, work, false);
    }

    /** Whether the in-flight limit admits the rate. */
    private void inFlight() {
        ListenerOptions single = SimulationRow.defaults().batchSize(1).build();
        Network equal = Network.fixed(Network.PUBLISHED.meanMillis());
        for (int prefetch : new int[] {ListenerOptions.AUTO_PREFETCH, 27, 54, 100}) {
            String name = prefetch < 0 ? "auto" : Integer.toString(prefetch);
            inFlight(name, single.toBuilder().prefetch(prefetch).build(), Network.PUBLISHED);
        }
        inFlight("auto-equal", single, equal);
    }

    private void inFlight(String name, ListenerOptions options, Network network) {
        boolean equal = network.p99Millis() == network.medianMillis();
        String what = (options.prefetch() < 0 ? "`prefetch: auto`" : "`prefetch: " + options.prefetch() + "`")
                + (equal ? ", calls of equal duration" : "");
        Load load = new Load.Steady(700 * PER_CALL, PER_CALL, true, 3, 10);
        add("in-flight/" + name, what, PER_CALL, options, network, load, new Work(20, true), false);
    }

    /** The calls of a message, by the rate of an instance. */
    private void calls() {
        ListenerOptions single = SimulationRow.defaults().batchSize(1).build();
        for (int n : new int[] {1, FEW}) {
            for (int perSecond : new int[] {5, 20, 50, 100, 200, 500, 1_000}) {
                Load load = new Load.Steady(n * perSecond, 1, true, 5, 20);
                String what = instances(n) + ", %,d messages/s each".formatted(perSecond);
                String name = "calls/" + n + "-" + perSecond;
                add(name, what, n, single, Network.fixed(10), load, new Work(5, true), perSecond == 20);
            }
        }
    }

    private void add(
            String name,
            String what,
            int n,
            ListenerOptions options,
            Network network,
            Load load,
            Work work,
            boolean quick) {
        rows.add(new SimulationRow(name, what, n, options, network, load, work, quick));
    }

    private static String instances(int n) {
        return n == 1 ? "1 instance" : n + " instances";
    }
}
