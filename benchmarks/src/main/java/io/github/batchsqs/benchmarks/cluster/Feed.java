/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.LongToIntFunction;

/** Puts messages in at a rate, on a thread of its own: for a time, or until it is ended, however long instances take meanwhile. */
final class Feed {

    private static final long SEGMENT_MILLIS = 250;
    private static final long SECOND_MILLIS = 1_000;

    private final Trickle trickle;
    private final LongToIntFunction perSecond;
    private final long millis;
    private final FutureTask<Long> fed = new FutureTask<>(this::feed);
    private volatile boolean ended;

    /** Lets the simulated SQS put so many messages in at a rate, and does not wait for them. */
    @FunctionalInterface
    interface Trickle {
        void start(int perSecond, long messages) throws IOException;
    }

    private Feed(Trickle trickle, LongToIntFunction perSecond, long millis) {
        this.trickle = trickle;
        this.perSecond = perSecond;
        this.millis = millis;
    }

    /**
     * Starts it.
     *
     * @param perSecond the rate after so many milliseconds
     * @param millis after which it ends by itself
     */
    static Feed start(Trickle trickle, LongToIntFunction perSecond, long millis) {
        Feed feed = new Feed(trickle, perSecond, millis);
        Thread unused = Thread.ofVirtual().name("cluster-feed").start(feed.fed);
        return feed;
    }

    private long feed() throws IOException, InterruptedException {
        long began = System.nanoTime();
        long messages = 0;
        for (long at = 0; at < millis && !ended; at += SEGMENT_MILLIS) {
            TimeUnit.NANOSECONDS.sleep(began + TimeUnit.MILLISECONDS.toNanos(at) - System.nanoTime());
            int rate = perSecond.applyAsInt(at);
            long more = rate * SEGMENT_MILLIS / SECOND_MILLIS;
            trickle.start(rate, more);
            messages += more;
        }
        return messages;
    }

    /** Ends it, and returns how many messages it has put in. */
    long end() throws IOException, InterruptedException {
        ended = true;
        return messages();
    }

    /** Blocks until it has ended, and returns how many messages it has put in. */
    long messages() throws IOException, InterruptedException {
        try {
            return fed.get();
        } catch (ExecutionException e) {
            throw new IOException("The messages could not be put in", e);
        }
    }
}
