/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import io.github.batchsqs.benchmarks.cluster.Autoscaler.Settings;
import java.util.List;

/**
 * A day in less than three minutes. Messages arrive and are handled as fast as on the day, for a second of each {@value #SECONDS}. The autoscaler's
 * clock is {@value #SECONDS} times as fast, so a backlog grows to one part in {@value #SECONDS} of what it would be: the autoscaler sees it multiplied.
 * The messages in flight are those of the day. A pod starts as fast as a listener does, which is within a minute of the day.
 *
 * @param name of the row
 * @param what it is, for people
 * @param settings of the autoscaler
 * @param hours of the day, from midnight on
 */
record Day(String name, String what, Settings settings, int hours) {

    /** Of the day, in a second of the run. */
    static final int SECONDS = 600;

    /**
     * Seconds of the day that have no meaning in the run: a message that takes part in no backlog waits for a call of 5 ms and at most 20 ms between
     * two receives, as on the day, and this wait is multiplied like all others.
     */
    static final double RESOLUTION_SECONDS = 0.025 * SECONDS;

    static final int PODS = 16;
    static final int HANDLER_MILLIS = 50;
    static final int PEAK_PER_SECOND = 2_400;

    /** What a pod does at these handlers. */
    static final int POD_PER_SECOND = Cluster.INVOCATIONS * 1_000 / HANDLER_MILLIS;

    /** The price of a pod hour, an assumption: about one vCPU and 1 GiB. */
    static final double DOLLARS_PER_POD_HOUR = 0.05;

    private static final int ALL_HOURS = 24;

    /** Until the load would need a second pod. */
    private static final int NIGHT_HOURS = 5;

    private static final long MILLIS_PER_HOUR = 3_600_000;
    private static final int SECONDS_PER_HOUR = 3_600;

    /** The load at each full hour, in percent of the peak. */
    private static final int[] CURVE = {
        8, 6, 5, 5, 6, 10, 20, 40, 65, 90, 100, 95, 80, 85, 95, 90, 80, 70, 60, 55, 45, 30, 20, 12, 8
    };

    /**
     * What a day has measured.
     *
     * @param row its name
     * @param what it is, for people
     * @param messages of the run
     * @param podHours per million messages, each pod from the decision that it starts to the decision that it stops
     * @param highestPods at once
     * @param changes of the number of pods
     * @param callsPerMessage of the listeners
     * @param callDollars of these calls, per million messages
     * @param podDollars per million messages
     * @param delayP50Seconds of the day
     * @param delayP99Seconds the same
     * @param lost messages
     * @param repeated runs
     */
    record Result(
            String row,
            String what,
            long messages,
            double podHours,
            int highestPods,
            int changes,
            double callsPerMessage,
            double callDollars,
            double podDollars,
            double delayP50Seconds,
            double delayP99Seconds,
            long lost,
            long repeated) {

        boolean failed() {
            return lost > 0 || repeated > 0;
        }
    }

    /**
     * KEDA's default, and what the page about capacity recommends: the messages of one pod in the time that a message may wait. In the night, when one
     * pod is enough, there may be none.
     */
    static List<Day> all() {
        int halfMinute = POD_PER_SECOND * 30;
        int half = halfMinute / 2; // more than that, and the messages that start a pod ask for a second one
        int twoMinutes = POD_PER_SECOND * 120;
        return List.of(
                day("default", "5, the default", Settings.of(5, PODS)),
                day("30s", "%,d: messages may wait 30 s".formatted(halfMinute), Settings.of(halfMinute, PODS)),
                day("2min", "%,d: messages may wait 2 min".formatted(twoMinutes), Settings.of(twoMinutes, PODS)),
                day(
                        "2min-visible",
                        "%,d, `scaleOnInFlight: \"false\"`".formatted(twoMinutes),
                        new Settings(twoMinutes, 0, false, 1, PODS, 30_000, 300_000, 300_000)),
                new Day(
                        "day/night-zero",
                        "%,d from 0 to %d o'clock, `minReplicaCount: 0`, `activationQueueLength: \"%d\"`"
                                .formatted(halfMinute, NIGHT_HOURS, half),
                        new Settings(halfMinute, half, true, 0, PODS, 30_000, 300_000, 300_000),
                        NIGHT_HOURS));
    }

    private static Day day(String name, String what, Settings settings) {
        return new Day("day/" + name, what, settings, ALL_HOURS);
    }

    long millis() {
        return hours * MILLIS_PER_HOUR;
    }

    /** The pod hours of a million messages of the night with one pod all the time. */
    static double nightPodHours() {
        double messages = 0;
        for (int hour = 0; hour < NIGHT_HOURS; hour++) {
            messages += (perSecond(hour * MILLIS_PER_HOUR) + perSecond((hour + 1) * MILLIS_PER_HOUR))
                    / 2.0
                    * SECONDS_PER_HOUR;
        }
        return NIGHT_HOURS * 1e6 / messages;
    }

    /** Returns the messages per second at a moment of the day. */
    static int perSecond(long dayMillis) {
        int hour = (int) Math.min(CURVE.length - 2L, dayMillis / MILLIS_PER_HOUR);
        double part = (double) (dayMillis - hour * MILLIS_PER_HOUR) / MILLIS_PER_HOUR;
        double percent = CURVE[hour] + part * (CURVE[hour + 1] - CURVE[hour]);
        return (int) Math.round(percent * PEAK_PER_SECOND / 100);
    }
}
