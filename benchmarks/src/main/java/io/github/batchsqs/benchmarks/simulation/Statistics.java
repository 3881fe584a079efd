/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.model.time.VirtualTime;
import java.util.Arrays;

/** What a run counts, from a moment on: what happened before was warm-up. Belongs to the strand that has control. */
final class Statistics {

    private static final double NANOS_PER_MILLI = 1e6;

    private final VirtualTime threads;
    final Calls receives;
    final Calls deletes;
    final Calls visibilityChanges;
    final Level inFlight;
    final Level invocations;
    final Level pollers;
    final int[] begunBy;
    long errors;
    long repeated;
    private long begunAt;
    private long firstArrival = Long.MAX_VALUE;
    private long lastEnd;
    private long arrived;
    private long handled;
    private long[] delays = new long[1 << 16];
    private int measured;

    Statistics(VirtualTime threads, int instances) {
        this.threads = threads;
        this.receives = new Calls();
        this.deletes = new Calls();
        this.visibilityChanges = new Calls();
        this.inFlight = new Level();
        this.invocations = new Level();
        this.pollers = new Level();
        this.begunBy = new int[instances];
    }

    /** Forgets everything but the levels: the warm-up is over. */
    void begin() {
        begunAt = threads.nanos();
        receives.reset();
        deletes.reset();
        visibilityChanges.reset();
        inFlight.reset();
        invocations.reset();
        pollers.reset();
        Arrays.fill(begunBy, 0);
        errors = 0;
        arrived = 0;
        handled = 0;
        measured = 0;
        firstArrival = Long.MAX_VALUE;
    }

    void arrived(SimulatedMessage message) {
        arrived++;
        firstArrival = Math.min(firstArrival, message.arrivedAt);
    }

    /** A handler begins a message. */
    void begins(int instance, SimulatedMessage message) {
        begunBy[instance]++;
        message.runs++;
        if (message.runs > 1) {
            repeated++;
        }
        if (measured == delays.length) {
            delays = Arrays.copyOf(delays, 2 * measured);
        }
        delays[measured++] = threads.nanos() - message.arrivedAt;
    }

    /** A handler has ended a message. */
    void ends(SimulatedMessage message) {
        lastEnd = threads.nanos();
        if (!message.handled) {
            message.handled = true;
            handled++;
        }
    }

    long arrived() {
        return arrived;
    }

    long handled() {
        return handled;
    }

    /** From the first arrival to the end of the last handler. */
    double seconds() {
        return firstArrival == Long.MAX_VALUE ? 0 : (lastEnd - firstArrival) / 1e9;
    }

    double measuredSeconds() {
        return (threads.nanos() - begunAt) / 1e9;
    }

    /** The delay from the arrival to the handler that this share of the messages does not exceed. */
    double delayMillis(double share) {
        if (measured == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(delays, measured);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(measured - 1L, Math.round(share * measured))] / NANOS_PER_MILLI;
    }

    /** The part that the least busy instance ran, of what would be fair. */
    double lowestShare() {
        return share(Arrays.stream(begunBy).min().orElse(0));
    }

    /** The same of the busiest one. */
    double highestShare() {
        return share(Arrays.stream(begunBy).max().orElse(0));
    }

    private double share(int messages) {
        double all = Arrays.stream(begunBy).asLongStream().sum();
        return all == 0 ? 0 : messages * begunBy.length / all;
    }

    /** The calls of one operation; failed attempts count. */
    final class Calls {
        final Level open = new Level();
        private long made;
        private long entries;
        private long effective;

        void begin() {
            made++;
            open.change(1);
        }

        void end() {
            open.change(-1);
        }

        /** A call has taken effect on so many messages. */
        void brought(int messages) {
            entries += messages;
            effective += messages > 0 ? 1 : 0;
        }

        long made() {
            return made;
        }

        /** The messages of a call, without the empty ones. */
        double perCall() {
            return effective == 0 ? 0 : entries / (double) effective;
        }

        private void reset() {
            made = 0;
            entries = 0;
            effective = 0;
            open.reset();
        }
    }

    /** A number that changes, and its average over time. */
    final class Level {
        private int value;
        private int max;
        private double area;
        private long since;
        private long from;

        void change(int by) {
            set(value + by);
        }

        void set(int newValue) {
            area += (double) value * (threads.nanos() - since);
            since = threads.nanos();
            value = newValue;
            max = Math.max(max, value);
        }

        double mean() {
            set(value);
            return since == from ? value : area / (since - from);
        }

        int max() {
            return max;
        }

        private void reset() {
            area = 0;
            since = threads.nanos();
            from = since;
            max = value;
        }
    }
}
