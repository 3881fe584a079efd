/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.client.Queue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the {@link Fetcher} receives.
 *
 * @param queue where from
 * @param waitTime the long poll
 * @param visibilityTimeout asked for with each receive, or {@code null} for the queue's own
 * @param minPollers when idle
 * @param maxPollers under load
 * @param pace the shortest time between two receives of a poller that did not fill up
 * @param running the most messages that invocations hold: concurrency × batch size
 * @param prefetch messages held beyond those, or {@link #AUTO}
 * @param rateLimit the most messages per second, 0 for no limit
 */
public record FetchSettings(
        Queue queue,
        Duration waitTime,
        @Nullable Duration visibilityTimeout,
        int minPollers,
        int maxPollers,
        Duration pace,
        int running,
        int prefetch,
        double rateLimit) {

    /** Hold what a few round trips at the measured rate need. */
    public static final int AUTO = -1;

    /** SQS: the most messages of a receive. */
    static final int MOST_PER_RECEIVE = 10;

    int firstPrefetch() {
        return prefetch == AUTO ? MOST_PER_RECEIVE : prefetch;
    }
}
