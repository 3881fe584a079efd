/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import io.github.batchsqs.benchmarks.cluster.ClusterRow.Action;
import io.github.batchsqs.benchmarks.cluster.ClusterRow.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
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
    private static final int GROUPS = 800;
    private static final int MANY_GROUPS = 6_000;
    private static final int HALF_AN_HOUR = 1_800;
    private static final long LONGEST_FEED = 600_000;

    private final List<ClusterRow> rows = new ArrayList<>();

    private ClusterRows() {}

    static List<ClusterRow> all() {
        ClusterRows all = new ClusterRows();
        for (int n = 1; n <= ALL; n *= 2) {
            all.drain("drain/" + n, instances(n), n, 1_600 * n, MILLIS, Setting.USUAL, n == 2);
        }
        for (int n = 1; n <= ALL; n *= 2) {
            all.add("steady/" + n, instances(n), ClusterRow.STANDARD, n, Setting.USUAL, trickle(96 * n, 10));
        }
        all.add("idle/16", "16 instances, 40 s", ClusterRow.STANDARD, ALL, Setting.USUAL, (cluster, queue) -> {
            TimeUnit.SECONDS.sleep(40);
            return 0;
        });
        all.drain("backlog/1000x1s", "1,000 messages of 1 s", ALL, 1_000, SECOND, Setting.USUAL, false);
        all.drain("backlog/100x1s", "100 messages of 1 s", ALL, 100, SECOND, Setting.USUAL, false);
        int most = Cluster.INVOCATIONS * ALL;
        all.backlog(
                "backlog/fifo",
                "16,000 of 100 ms, FIFO, 800 groups",
                ClusterRow.FIFO,
                Setting.USUAL,
                16_000,
                MILLIS,
                most,
                GROUPS);
        all.backlog(
                "backlog/fifo-ahead",
                "the same with `prefetch: 300`",
                ClusterRow.FIFO_AHEAD,
                Setting.USUAL,
                16_000,
                MILLIS,
                most,
                GROUPS);
        all.quotas();
        all.faults();
        return List.copyOf(all.rows);
    }

    /** Brings the listeners up to speed; its figures do not count. */
    static ClusterRow warmUp(String listener, int instances) {
        return new ClusterRow(
                "warm-up", "", listener, instances, Setting.USUAL, 0, -1, -1, false, fill(200 * instances, 10));
    }

    private void quotas() {
        Setting full = new Setting("", "", ClusterRow.IN_FLIGHT + 200);
        backlog(
                "quota/in-flight",
                "at most 200 messages in flight",
                ClusterRow.STANDARD,
                full,
                8_000,
                MILLIS,
                200,
                GROUPS);
        Setting shorter = new Setting("", "&shortBatches=0.5", "");
        drain("quota/short", "half of the responses are short", ALL, 25_600, MILLIS, shorter, false);
        Setting third = new Setting("", "", "?fifoCalls=100");
        fifo("quota/fifo", "FIFO, 100 calls/s of each kind, 10 ms, `prefetch: 300`", third);
        Setting fast = new Setting("&highThroughput=1", "", "?fifoCalls=25&partitions=4");
        fifo(
                "quota/fifo-high-throughput",
                "FIFO with high throughput, 4 partitions of 25 calls/s, 10 ms, `prefetch: 300`",
                fast);
        add(
                "quota/fifo-steady",
                "FIFO, 300 calls/s of each kind, 1,000 messages/s of 10 ms arrive",
                ClusterRow.FIFO,
                ALL,
                Setting.FIFO,
                trickle(1_000, 12, 10, MANY_GROUPS));
    }

    /**
     * A quota of 1,000 messages a second, which the invocations would exceed 25 times, and also the processors would. At the beginning the calls of a
     * second are unused, which the simulated SQS permits at once.
     */
    private void fifo(String name, String what, Setting setting) {
        int messages = 12_000;
        int perSecond = 1_000;
        rows.add(new ClusterRow(
                name,
                what,
                ClusterRow.FIFO_AHEAD,
                ALL,
                setting,
                (double) (messages - perSecond) / perSecond,
                -1,
                -1,
                false,
                fill(messages, 10, MANY_GROUPS)));
    }

    private void faults() {
        for (String listener : List.of(ClusterRow.STANDARD, ClusterRow.FIFO)) {
            boolean fifo = listener.equals(ClusterRow.FIFO);
            String end = fifo ? "-fifo" : "";
            String queue = fifo ? ", FIFO" : ", standard";
            Setting usual = fifo ? Setting.FIFO : Setting.USUAL;
            add(
                    "fault/rolling-restart" + end,
                    "8 instances restart one by one" + queue,
                    listener,
                    HALF,
                    usual,
                    restarts(listener));
            int factor = fifo ? 1 : 3;
            add(
                    "fault/scale" + end,
                    "from 1 instance to 16 and back to 1" + queue,
                    listener,
                    1,
                    usual,
                    scale(listener, 2_000 * factor, PER_SECOND * factor));
            fault(
                    "fault/kill" + end,
                    "one of 8 instances is killed" + queue,
                    listener,
                    HALF,
                    false,
                    killed(listener, PER_SECOND));
            fault(
                    "fault/hang" + end,
                    "one of 8 instances hangs for 8 s" + queue,
                    listener,
                    HALF,
                    false,
                    (cluster, name) -> {
                        long messages = trickle(PER_SECOND, 15).run(cluster, name);
                        TimeUnit.SECONDS.sleep(2);
                        cluster.hang(0, HALF);
                        return messages;
                    });
            if (Files.exists(FAKE_CLOCK)) {
                clock("fault/clock" + end, "the clock of one of 8 instances is an hour ahead" + queue, listener);
            }
        }
        fault(
                "fault/kill-of-2-fifo",
                "one of 2 instances is killed, FIFO",
                ClusterRow.FIFO,
                2,
                true,
                killed(ClusterRow.FIFO, MILLIS));
    }

    /** Each instance ends while it runs messages, and the next one waits until the new process does. */
    private static Action restarts(String listener) {
        return (cluster, name) -> {
            Feed feed = Feed.start(continued(cluster, name, MILLIS), at -> PER_SECOND, LONGEST_FEED);
            for (int i = 0; i < HALF; i++) {
                cluster.awaitRunning(i, 1);
                cluster.instance(i).terminate();
                cluster.replace(i, listener, Map.of());
                cluster.awaitRunning(i, 1);
            }
            return feed.end();
        };
    }

    /** The instances come to a backlog, and go together while messages still arrive; the first one does the rest. */
    private static Action scale(String listener, int backlog, int perSecond) {
        return (cluster, name) -> {
            long messages = fill(backlog, MILLIS).run(cluster, name);
            Feed feed = Feed.start(continued(cluster, name, MILLIS), at -> perSecond, LONGEST_FEED);
            for (int i = 1; i < ALL; i++) {
                cluster.join(i, listener);
            }
            TimeUnit.SECONDS.sleep(10);
            for (int i = 1; i < ALL; i++) {
                Future<Long> unused = cluster.instance(i).later("stop", listener);
            }
            for (int i = 1; i < ALL; i++) {
                cluster.instance(i).awaitConfirmation();
            }
            return messages + feed.end();
        };
    }

    /** More messages for a queue, beside those that it has. */
    static Feed.Trickle continued(Cluster cluster, String queue, int millis) {
        return (perSecond, messages) -> {
            JsonNode unused = cluster.control("trickle?queue=" + queue + "&continued=1&perSecond=" + perSecond
                    + "&messages=" + messages + work(millis, GROUPS));
        };
    }

    private static Action killed(String listener, int perSecond) {
        return (cluster, name) -> {
            long messages = trickle(perSecond, 10).run(cluster, name);
            TimeUnit.SECONDS.sleep(2);
            cluster.kill(0);
            cluster.replace(0, listener, Map.of());
            return messages;
        };
    }

    private void clock(String name, String what, String listener) {
        Setting checked = new Setting("", "", "?clockSkewSeconds=300");
        Map<String, String> ahead =
                Map.of("LD_PRELOAD", FAKE_CLOCK.toString(), "FAKETIME", "+1h", "FAKETIME_DONT_FAKE_MONOTONIC", "1");
        rows.add(new ClusterRow(name, what, listener, HALF, checked, 0, -1, 0, false, (cluster, queue) -> {
            cluster.instance(0).terminate();
            cluster.replace(0, listener, ahead);
            long skew = cluster.instance(0).secondsAhead();
            if (skew < HALF_AN_HOUR) {
                throw new IOException(
                        "libfaketime has no effect: the clock of the instance is %d s ahead".formatted(skew));
            }
            long messages = trickle(PER_SECOND, 12).run(cluster, queue);
            JsonNode unused = cluster.control("await?deleted=" + messages + "&withinMillis=40000");
            cluster.instance(0).terminate();
            cluster.replace(0, listener, Map.of());
            return messages;
        }));
    }

    private void drain(
            String name, String what, int instances, int messages, int millis, Setting setting, boolean quick) {
        double ideal = ideal(Cluster.INVOCATIONS * instances, messages, millis);
        rows.add(new ClusterRow(
                name, what, ClusterRow.STANDARD, instances, setting, ideal, -1, -1, quick, fill(messages, millis)));
    }

    /** A backlog for all instances, of which so many messages can be handled at once. */
    private void backlog(
            String name,
            String what,
            String listener,
            Setting setting,
            int messages,
            int millis,
            int atOnce,
            int groups) {
        rows.add(new ClusterRow(
                name,
                what,
                listener,
                ALL,
                setting,
                ideal(atOnce, messages, millis),
                -1,
                -1,
                false,
                fill(messages, millis, groups)));
    }

    private void add(String name, String what, String listener, int instances, Setting setting, Action action) {
        rows.add(new ClusterRow(name, what, listener, instances, setting, 0, -1, -1, false, action));
    }

    /** The first instance fails. */
    private void fault(String name, String what, String listener, int instances, boolean quick, Action action) {
        rows.add(new ClusterRow(name, what, listener, instances, Setting.SHORT_LEASES, 0, 0, -1, quick, action));
    }

    private static String instances(int n) {
        return n == 1 ? "1 instance" : n + " instances";
    }

    private static double ideal(int atOnce, int messages, int millis) {
        return Math.ceilDiv(messages, atOnce) * (double) millis / SECOND;
    }

    private static Action fill(int messages, int millis) {
        return fill(messages, millis, GROUPS);
    }

    private static Action fill(int messages, int millis, int groups) {
        return (cluster, queue) -> {
            JsonNode unused = cluster.control("fill?queue=" + queue + "&messages=" + messages + work(millis, groups));
            return messages;
        };
    }

    private static Action trickle(int perSecond, int seconds) {
        return trickle(perSecond, seconds, MILLIS, GROUPS);
    }

    private static Action trickle(int perSecond, int seconds, int millis, int groups) {
        long messages = (long) perSecond * seconds;
        return (cluster, queue) -> {
            JsonNode unused = cluster.control("trickle?queue=" + queue + "&perSecond=" + perSecond + "&messages="
                    + messages + work(millis, groups));
            return messages;
        };
    }

    /** What the handler reads in the body, between spaces. */
    private static String work(int millis, int groups) {
        return "&groups=" + groups + "&work=%20" + millis + "%20";
    }
}
