/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Drops what is logged by a thread that declared itself quiet, and by those that it starts; all others log as ever. For tests
 * that provoke thousands of failures. {@code logback-test.xml} puts it in place.
 */
public final class QuietThreads extends TurboFilter {

    private static final InheritableThreadLocal<Boolean> QUIET = new InheritableThreadLocal<>();

    /** From now on nothing is logged by this thread, nor by those that it starts. */
    public static void join() {
        QUIET.set(true);
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] params,
            @Nullable Throwable t) {
        return QUIET.get() == null ? FilterReply.NEUTRAL : FilterReply.DENY;
    }
}
