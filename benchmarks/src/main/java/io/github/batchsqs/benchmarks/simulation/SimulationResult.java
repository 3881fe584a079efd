/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

/**
 * What a row has shown. Levels are averages over time, of all instances together unless they say otherwise.
 *
 * @param row its name
 * @param what it does, for people
 * @param instances of the row
 * @param messages that arrived while the figures counted
 * @param seconds from the first arrival to the end of the last handler, or while the figures counted
 * @param perSecond messages whose handlers ended
 * @param idealSeconds of a backlog; 0 otherwise
 * @param callsPerMessage all calls of all instances; without messages, calls per minute and instance
 * @param perReceive messages of a receive that brought any
 * @param perDelete messages of a delete
 * @param delayP50Millis from the arrival to the handler
 * @param delayP99Millis the same
 * @param lowestShare of the least busy instance; 1 is fair
 * @param highestShare of the busiest one
 * @param pollers of an instance
 * @param deletes calls in flight, of an instance
 * @param invocations of an instance
 * @param inFlight messages that were received and not deleted
 * @param highestInFlight the highest of them
 * @param errors calls that failed
 * @param repeated runs of a message after its first one
 * @param formulaCalls the page's formula for pollers and for deletes of an instance
 * @param formulaInvocations that for its invocations
 * @param formulaInFlight that for the messages in flight of all instances
 */
public record SimulationResult(
        String row,
        String what,
        int instances,
        long messages,
        double seconds,
        double perSecond,
        double idealSeconds,
        double callsPerMessage,
        double perReceive,
        double perDelete,
        double delayP50Millis,
        double delayP99Millis,
        double lowestShare,
        double highestShare,
        double pollers,
        double deletes,
        double invocations,
        double inFlight,
        int highestInFlight,
        long errors,
        long repeated,
        double formulaCalls,
        double formulaInvocations,
        double formulaInFlight) {

    private static final int SECONDS_A_MINUTE = 60;

    static SimulationResult of(SimulationRow row, Statistics statistics) {
        boolean window = row.load() instanceof SimulationRow.Load.Steady steady && steady.warmUpSeconds() > 0;
        long messages = window ? statistics.handled() : statistics.arrived();
        double seconds = window || messages == 0 ? statistics.measuredSeconds() : statistics.seconds();
        double calls = statistics.receives.made() + statistics.deletes.made() + statistics.visibilityChanges.made();
        int n = row.instances();
        return new SimulationResult(
                row.name(),
                row.what(),
                n,
                messages,
                seconds,
                messages / seconds,
                row.idealSeconds(),
                messages == 0 ? calls * SECONDS_A_MINUTE / seconds / n : calls / messages,
                statistics.receives.perCall(),
                statistics.deletes.perCall(),
                statistics.delayMillis(0.5),
                statistics.delayMillis(0.99),
                statistics.lowestShare(),
                statistics.highestShare(),
                statistics.pollers.mean() / n,
                statistics.deletes.open.mean() / n,
                statistics.invocations.mean() / n,
                statistics.inFlight.mean(),
                statistics.inFlight.max(),
                statistics.errors,
                statistics.repeated,
                row.formulaCalls(),
                row.formulaInvocations(),
                row.formulaInFlight());
    }
}
