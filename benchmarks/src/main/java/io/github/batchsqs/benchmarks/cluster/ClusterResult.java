/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import tools.jackson.databind.JsonNode;

/**
 * What a row has measured.
 *
 * @param row its name
 * @param what it does, for people
 * @param messages of the row
 * @param seconds from the first message to the end of the last handler
 * @param idealSeconds the same if every invocation of every instance were busy without a pause, or if the quota were used up; 0 where the messages arrive over time
 * @param callsPerMessage all calls of all instances, also of idle ones; in the row without messages, calls per minute and instance
 * @param lowestShare of the least busy instance; 1 is fair
 * @param highestShare of the busiest one
 * @param delayP50Millis from birth to handler
 * @param delayP99Millis the same
 * @param receives calls
 * @param deletes calls
 * @param lost messages whose handler never ended, and those that are still in the queue
 * @param repeated runs of a message after its first one
 * @param unexplained those that the fault does not explain
 * @param outOfOrder messages that began before the one ahead of them in their group had ended
 * @param showsNothing whether the fault that the row is about interrupted no message, its instance received nothing, or nothing reached its quota
 */
public record ClusterResult(
        String row,
        String what,
        long messages,
        double seconds,
        double idealSeconds,
        double callsPerMessage,
        double lowestShare,
        double highestShare,
        double delayP50Millis,
        double delayP99Millis,
        Calls receives,
        Calls deletes,
        long lost,
        long repeated,
        long unexplained,
        long outOfOrder,
        boolean showsNothing) {

    /**
     * The calls of a kind.
     *
     * @param all of them
     * @param throttled those that exceeded a quota
     * @param empty receives
     * @param messages of the others
     */
    public record Calls(long all, long throttled, long empty, long messages) {

        static Calls receives(JsonNode stats) {
            return of(
                    stats,
                    stats.get("emptyReceives").asLong(),
                    stats.get("received").asLong(),
                    "ReceiveMessage");
        }

        static Calls deletes(JsonNode stats) {
            return of(stats, 0, stats.get("deleted").asLong(), "DeleteMessage", "DeleteMessageBatch");
        }

        private static Calls of(JsonNode stats, long empty, long messages, String... names) {
            long all = 0;
            long throttled = 0;
            for (String name : names) {
                all += stats.get("calls").path(name).asLong(0);
                throttled += stats.get("throttledCalls").path(name).asLong(0);
            }
            return new Calls(all, throttled, empty, messages);
        }

        /** Messages of a call that was neither throttled nor empty. */
        double messagesPerCall() {
            long full = all - throttled - empty;
            return full == 0 ? 0 : (double) messages / full;
        }
    }

    long throttled() {
        return receives.throttled() + deletes.throttled();
    }

    /** Whether it broke a guarantee, or could not have shown that it does. */
    public boolean failed() {
        return lost > 0 || unexplained > 0 || outOfOrder > 0 || showsNothing;
    }
}
