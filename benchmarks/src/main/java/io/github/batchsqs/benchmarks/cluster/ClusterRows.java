/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import io.github.batchsqs.benchmarks.cluster.ClusterRow.Action;
import io.github.batchsqs.benchmarks.cluster.ClusterRow.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** All rows of the suite. */
final class ClusterRows {

    /** Debian's package libfaketime has it. */
    static final Path FAKE_CLOCK = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1");

    static final int ALL = 16;

    private static final int MILLIS = 100;
    private static final int SECOND = 1_000;
    private static final int HALF = 8;
    private static final int PER_SECOND = 400;

    private final List<ClusterRow> rows = new ArrayList<>();

    private ClusterRows() {}

    static List<ClusterRow> all() {
        ClusterRows all = new ClusterRows();
        for (int n = 1; n <= ALL; n *= 2) {
            all.drain("drain/" + n, instances(n), n, 1_600 * n, MILLIS, Setting.USUAL, n == 2);
        }
        for (int n = 1; n <= ALL; n *= 2) {
            all.add("steady/" + n, instances(n), false, n, Setting.USUAL, -1, false, trickle(96 * n, 10));
        }
        all.add("idle/16", "16 instances, 40 s", false, ALL, Setting.USUAL, -1, false, (cluster, queue) -> {
            TimeUnit.SECONDS.sleep(40);
            return 0;
        });
        all.drain("backlog/1000x1s", "1,000 messages of 1 s", ALL, 1_000, SECOND, Setting.USUAL, false);
        all.drain("backlog/100x1s", "100 messages of 1 s", ALL, 100, SECOND, Setting.USUAL, false);
        all.quotas();
        all.faults();
        return List.copyOf(all.rows);
    }

    private void quotas() {
        Setting full = new Setting("", "", "?inFlight=200");
        rows.add(new ClusterRow(
                "quota/in-flight",
                "at most 200 messages in flight, 16 instances",
                false,
                ALL,
                full,
                8_000 / 200 * (double) MILLIS / SECOND,
                -1,
                false,
                fill(8_000, MILLIS)));
        Setting shorter = new Setting("", "&shortBatches=0.5", "");
        drain("quota/short", "half of the responses are short, 16 instances", ALL, 25_600, MILLIS, shorter, false);
        fifo("quota/fifo", "FIFO, 300 calls/s of each kind, 16 instances", Setting.FIFO);
        Setting fast = new Setting("&highThroughput=1", "", "?fifoCalls=300&partitions=4");
        fifo("quota/fifo-high-throughput", "FIFO with high throughput, 4 partitions, 16 instances", fast);
    }

    private void fifo(String name, String what, Setting setting) {
        int messages = 16_000;
        rows.add(new ClusterRow(
                name, what, true, ALL, setting, ideal(ALL, messages, MILLIS), -1, false, fill(messages, MILLIS)));
    }

    private void faults() {
        for (boolean fifo : new boolean[] {false, true}) {
            String end = fifo ? "-fifo" : "";
            String queue = fifo ? ", FIFO" : ", standard";
            String listener = fifo ? "fifo" : "standard";
            Setting usual = fifo ? Setting.FIFO : Setting.USUAL;
            add(
                    "fault/rolling-restart" + end,
                    "8 instances restart one by one" + queue,
                    fifo,
                    HALF,
                    usual,
                    -1,
                    false,
                    (cluster, name) -> {
                        long messages = trickle(PER_SECOND, 30).run(cluster, name);
                        for (int i = 0; i < HALF; i++) {
                            cluster.instance(i).terminate();
                            cluster.replace(i, listener, Map.of());
                        }
                        return messages;
                    });
            add(
                    "fault/scale" + end,
                    "from 1 instance to 16 and back" + queue,
                    fifo,
                    1,
                    usual,
                    -1,
                    false,
                    (cluster, name) -> {
                        long messages = fill(6_000, MILLIS).run(cluster, name)
                                + more(1_200, 15).run(cluster, name);
                        for (int i = 1; i < ALL; i++) {
                            cluster.join(i, listener);
                        }
                        TimeUnit.SECONDS.sleep(HALF);
                        for (int i = 1; i < ALL; i++) {
                            cluster.instance(i).command("stop", listener);
                        }
                        TimeUnit.SECONDS.sleep(2);
                        for (int i = 1; i < ALL; i++) {
                            cluster.instance(i).command("start", listener);
                        }
                        return messages;
                    });
            add(
                    "fault/kill" + end,
                    "one of 8 instances is killed" + queue,
                    fifo,
                    HALF,
                    Setting.SHORT_LEASES,
                    0,
                    false,
                    killed(listener, PER_SECOND));
            add(
                    "fault/hang" + end,
                    "one of 8 instances hangs for 8 s" + queue,
                    fifo,
                    HALF,
                    Setting.SHORT_LEASES,
                    0,
                    false,
                    (cluster, name) -> {
                        long messages = trickle(PER_SECOND, 15).run(cluster, name);
                        TimeUnit.SECONDS.sleep(2);
                        cluster.instance(0).signal("STOP");
                        TimeUnit.SECONDS.sleep(HALF);
                        cluster.instance(0).signal("CONT");
                        return messages;
                    });
            if (Files.exists(FAKE_CLOCK)) {
                clock("fault/clock" + end, "the clock of one of 8 instances is an hour ahead" + queue, fifo, listener);
            }
        }
        add(
                "fault/kill-of-2-fifo",
                "one of 2 instances is killed, FIFO",
                true,
                2,
                Setting.SHORT_LEASES,
                0,
                true,
                killed("fifo", MILLIS));
    }

    private static Action killed(String listener, int perSecond) {
        return (cluster, name) -> {
            long messages = trickle(perSecond, 10).run(cluster, name);
            TimeUnit.SECONDS.sleep(2);
            cluster.instance(0).close();
            cluster.replace(0, listener, Map.of());
            return messages;
        };
    }

    private void clock(String name, String what, boolean fifo, String listener) {
        Setting checked = new Setting("", "", "?clockSkewSeconds=300");
        Map<String, String> ahead =
                Map.of("LD_PRELOAD", FAKE_CLOCK.toString(), "FAKETIME", "+1h", "FAKETIME_DONT_FAKE_MONOTONIC", "1");
        add(name, what, fifo, HALF, checked, -1, false, (cluster, queue) -> {
            cluster.instance(0).terminate();
            cluster.replace(0, listener, ahead);
            long messages = trickle(PER_SECOND, 12).run(cluster, queue);
            JsonNode unused = cluster.control("await?deleted=" + messages + "&withinMillis=40000");
            cluster.instance(0).terminate();
            cluster.replace(0, listener, Map.of());
            return messages;
        });
    }

    private void drain(
            String name, String what, int instances, int messages, int millis, Setting setting, boolean quick) {
        double ideal = ideal(instances, messages, millis);
        rows.add(new ClusterRow(name, what, false, instances, setting, ideal, -1, quick, fill(messages, millis)));
    }

    private void add(
            String name,
            String what,
            boolean fifo,
            int instances,
            Setting setting,
            int faulty,
            boolean quick,
            Action action) {
        rows.add(new ClusterRow(name, what, fifo, instances, setting, 0, faulty, quick, action));
    }

    private static String instances(int n) {
        return n == 1 ? "1 instance" : n + " instances";
    }

    private static double ideal(int instances, int messages, int millis) {
        return Math.ceilDiv(messages, Cluster.INVOCATIONS * instances) * (double) millis / SECOND;
    }

    static Action fill(int messages, int millis) {
        return (cluster, queue) -> {
            JsonNode unused = cluster.control("fill?queue=" + queue + "&messages=" + messages + work(millis));
            return messages;
        };
    }

    private static Action trickle(int perSecond, int seconds) {
        return trickle(perSecond, seconds, "");
    }

    /** The same, while the clock of the row goes on. */
    private static Action more(int perSecond, int seconds) {
        return trickle(perSecond, seconds, "&continued=1");
    }

    private static Action trickle(int perSecond, int seconds, String how) {
        long messages = (long) perSecond * seconds;
        return (cluster, queue) -> {
            JsonNode unused = cluster.control("trickle?queue=" + queue + "&perSecond=" + perSecond + "&messages="
                    + messages + work(MILLIS) + how);
            return messages;
        };
    }

    /** What the handler reads in the body, between spaces. */
    private static String work(int millis) {
        return "&groups=800&work=%20" + millis + "%20";
    }
}
