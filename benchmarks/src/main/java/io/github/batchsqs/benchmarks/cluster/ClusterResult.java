/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

/**
 * What a row has measured.
 *
 * @param row its name
 * @param what it does, for people
 * @param messages of the row
 * @param seconds from the first message to the end of the last handler
 * @param idealSeconds the same if every invocation of every instance were busy without a pause; 0 where the messages arrive over time
 * @param callsPerMessage all calls of all instances, also of idle ones; in the row without messages, calls per minute and instance
 * @param lowestShare of the least busy instance; 1 is fair
 * @param highestShare of the busiest one
 * @param delayP50Millis from birth to handler
 * @param delayP99Millis the same
 * @param throttled calls that exceeded a quota
 * @param lost messages whose handler never ended, and those that are still in the queue
 * @param repeated runs of a message after its first one
 * @param unexplained those with which the faulty instance has nothing to do
 * @param outOfOrder messages that began before the one ahead of them in their group had ended
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
        long throttled,
        long lost,
        long repeated,
        long unexplained,
        long outOfOrder) {

    /** Whether it broke a guarantee. */
    public boolean failed() {
        return lost > 0 || unexplained > 0 || outOfOrder > 0;
    }
}
