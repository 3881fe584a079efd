/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import io.github.batchsqs.time.TimeSource;
import org.slf4j.Logger;

/**
 * Logs what a receiver of events throws, at most once a minute, so that they never fail the engine that reports
 * them.
 *
 * <p>Never throws. Safe for use by any thread.
 */
public final class EventFailures {

    private final SafeLog log;
    private final String subject;
    private final OncePerMinute line;

    /**
     * Makes the log of one receiver.
     *
     * @param subject begins each line, for example {@code Listener orders: its ListenerEvents}
     */
    public EventFailures(Logger log, String subject, TimeSource time) {
        this.log = new SafeLog(log);
        this.subject = subject;
        this.line = new OncePerMinute(time);
    }

    /** Records that an event made it throw. */
    public void record(String event, Throwable failure) {
        if (line.due()) {
            log.error("{} threw at {}, which has no other effect", subject, event, failure);
        }
    }
}
