/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the ledgers of a row: what ran, where, how often, and in which order. Times are microseconds. */
final class Verdict {

    private static final double MICROS_PER_MILLI = 1e3;
    private static final double MICROS_PER_SECOND = 1e6;

    private final Map<String, Run> runs = new HashMap<>();
    private final Map<String, Integer> shares = new HashMap<>();
    private final @Nullable Fault fault;
    private long repeated;
    private long unexplained;

    /**
     * When an instance failed. What it ran within this time, also if it ended it only just before, another instance may run once more.
     *
     * @param instance that failed
     * @param from when the fault began, by the clock of the ledgers
     * @param to when its consequences were over
     */
    record Fault(int instance, long from, long to) {

        /** Within this time an instance deletes what has ended: far above the default linger of 50 ms and a call of 5 ms. */
        private static final long SETTLED = 1_000_000;

        private boolean explains(Span span) {
            return span.begin <= to && span.end >= from - SETTLED;
        }
    }

    /** A run on the instance that failed. */
    private static final class Span {
        final long begin;
        long end = Long.MAX_VALUE;

        Span(long begin) {
            this.begin = begin;
        }
    }

    /** A message. */
    private static final class Run {
        final List<Span> onFaulty = new ArrayList<>();
        int elsewhere;
        boolean begun;
        String group = "null";
        String sequence = "";
        long birth;
        long begin;
        long end = Long.MAX_VALUE;
    }

    /**
     * Reads the ledgers.
     *
     * @param ledgers the lines of each instance
     * @param fault what may repeat messages, or {@code null}
     */
    Verdict(Map<String, List<String>> ledgers, @Nullable Fault fault) {
        this.fault = fault;
        ledgers.forEach((instance, lines) -> {
            boolean faulty = fault != null && instance.equals(Integer.toString(fault.instance()));
            int begun = 0;
            for (String line : lines) {
                begun += read(line.split(" ", -1), faulty);
            }
            shares.put(instance, begun);
        });
        for (Run run : runs.values()) {
            long healthy = run.elsewhere
                    + run.onFaulty.stream().filter(span -> !excused(span)).count();
            unexplained += Math.max(0, healthy - 1);
        }
    }

    /** Counts the handlers that have begun and not ended, in the lines of one instance. */
    static long running(List<String> lines) {
        return lines.stream().mapToLong(line -> line.startsWith("B") ? 1 : -1).sum();
    }

    private boolean excused(Span span) {
        return fault != null && fault.explains(span);
    }

    private int read(String[] words, boolean faulty) {
        Run run = runs.computeIfAbsent(words[2], id -> new Run());
        long at = Long.parseLong(words[1]);
        if (words[0].equals("E")) {
            run.end = Math.min(run.end, at);
            if (faulty) {
                run.onFaulty.getLast().end = at;
            }
            return 0;
        }
        repeated += run.begun ? 1 : 0;
        if (faulty) {
            run.onFaulty.add(new Span(at));
        } else {
            run.elsewhere++;
        }
        run.begin = run.begun ? Math.min(run.begin, at) : at;
        run.begun = true;
        run.group = words[3];
        run.sequence = words[4];
        run.birth = Long.parseLong(words[5]);
        return 1;
    }

    /** Messages whose handler never ended. */
    long lost(long sent) {
        return sent
                - runs.values().stream().filter(run -> run.end < Long.MAX_VALUE).count();
    }

    /** Runs of a message after its first one. */
    long repeated() {
        return repeated;
    }

    /** Those that the fault does not explain: runs of a message after its first one, without those that the fault interrupted. */
    long unexplained() {
        return unexplained;
    }

    /** Messages of a group that began before the one ahead of them had ended. */
    long outOfOrder() {
        Map<String, List<Run>> groups = new HashMap<>();
        runs.values().stream()
                .filter(run -> !run.group.equals("null"))
                .forEach(run -> groups.computeIfAbsent(run.group, name -> new ArrayList<>())
                        .add(run));
        long violations = 0;
        for (List<Run> group : groups.values()) {
            group.sort((one, other) -> one.sequence.compareTo(other.sequence));
            for (int i = 1; i < group.size(); i++) {
                violations += group.get(i).begin < group.get(i - 1).end ? 1 : 0;
            }
        }
        return violations;
    }

    /** Returns the delay from birth to begin that this share of the messages does not exceed. */
    double delayMillis(double share) {
        long[] delays = runs.values().stream()
                .mapToLong(run -> run.begin - run.birth)
                .sorted()
                .toArray();
        int at = (int) Math.min(delays.length - 1L, Math.round(share * delays.length));
        return delays.length == 0 ? 0 : delays[at] / MICROS_PER_MILLI;
    }

    /** From the first birth to the last end. */
    double seconds() {
        long first = runs.values().stream().mapToLong(run -> run.birth).min().orElse(0);
        long last = runs.values().stream()
                .mapToLong(run -> run.end)
                .filter(end -> end < Long.MAX_VALUE)
                .max()
                .orElse(0);
        return (last - first) / MICROS_PER_SECOND;
    }

    /** How many messages began on an instance. */
    int begun(int instance) {
        return shares.getOrDefault(Integer.toString(instance), 0);
    }

    /** The part of the messages that the least busy instance ran, of what would be fair. */
    double lowestShare() {
        return share(shares.values().stream().mapToInt(Integer::intValue).min().orElse(0));
    }

    /** The same of the busiest one. */
    double highestShare() {
        return share(shares.values().stream().mapToInt(Integer::intValue).max().orElse(0));
    }

    private double share(int messages) {
        double all = shares.values().stream().mapToInt(Integer::intValue).sum();
        return all == 0 ? 0 : messages * shares.size() / all;
    }
}
