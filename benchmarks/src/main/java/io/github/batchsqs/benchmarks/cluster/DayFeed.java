/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Puts the messages of a day in, on a thread of its own: the curve waits for no pod. */
final class DayFeed {

    private static final long SEGMENT_MILLIS = 250;
    private static final long SECOND_MILLIS = 1_000;

    private final Cluster cluster;
    private final FutureTask<Long> fed = new FutureTask<>(this::feed);

    private DayFeed(Cluster cluster) {
        this.cluster = cluster;
    }

    static DayFeed start(Cluster cluster) {
        DayFeed feed = new DayFeed(cluster);
        Thread unused = Thread.ofVirtual().name("cluster-feed").start(feed.fed);
        return feed;
    }

    private long feed() throws IOException, InterruptedException {
        long began = System.nanoTime();
        long messages = 0;
        for (long at = 0; at < Day.MILLIS / Day.SECONDS; at += SEGMENT_MILLIS) {
            TimeUnit.NANOSECONDS.sleep(began + TimeUnit.MILLISECONDS.toNanos(at) - System.nanoTime());
            int perSecond = Day.perSecond(at * Day.SECONDS);
            long more = perSecond * SEGMENT_MILLIS / SECOND_MILLIS;
            JsonNode unused = cluster.control("trickle?queue=cluster&continued=1&perSecond=" + perSecond + "&messages="
                    + more + "&work=%20" + Day.HANDLER_MILLIS + "%20");
            messages += more;
        }
        return messages;
    }

    /** Blocks until the day is over, and returns how many messages it had. */
    long messages() throws IOException, InterruptedException {
        try {
            return fed.get();
        } catch (ExecutionException e) {
            throw new IOException("The messages of the day could not be put in", e);
        }
    }
}
