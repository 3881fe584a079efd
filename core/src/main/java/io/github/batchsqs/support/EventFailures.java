/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.support;

import io.github.batchsqs.time.TimeSource;
import org.slf4j.Logger;

/**
 * Logs what the methods of an events object throw, at most once a minute, so that they never fail the engine that reports
 * them.
 *
 * <p>Never throws. Safe for use by any thread.
 */
public final class EventFailures {

    private final SafeLog log;
    private final String subject;
    private final OncePerMinute line;

    /**
     * Makes the log of one events object.
     *
     * @param subject begins each line, for example {@code Listener orders: its ListenerEvents}
     */
    public EventFailures(Logger log, String subject, TimeSource time) {
        this.log = new SafeLog(log);
        this.subject = subject;
        this.line = new OncePerMinute(time);
    }

    /** Records that a method threw. */
    public void record(String method, Throwable failure) {
        if (line.due()) {
            log.error("{} threw in {}(); it goes on", subject, method, failure);
        }
    }
}
