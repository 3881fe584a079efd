/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes log lines that must not fail: those about throwables that user code threw, whose methods may throw in the logging
 * framework, and those that are written before messages are settled. A line that cannot be written is dropped.
 *
 * <p>Arguments are those of SLF4J: one for each {@code {}}, then the throwable whose stack trace is logged. Safe for use by
 * any thread.
 */
public final class SafeLog {

    private final Logger log;

    public SafeLog(Logger log) {
        this.log = log;
    }

    public void info(String format, @Nullable Object... arguments) {
        write((line, values) -> log.info(line, values), format, arguments);
    }

    public void warn(String format, @Nullable Object... arguments) {
        write((line, values) -> log.warn(line, values), format, arguments);
    }

    public void error(String format, @Nullable Object... arguments) {
        write((line, values) -> log.error(line, values), format, arguments);
    }

    private static void write(Level level, String format, @Nullable Object[] arguments) {
        if (ForeignCode.run(() -> level.log(format, arguments)) != null) {
            writeWithStandIn(level, format, arguments);
        }
    }

    private static void writeWithStandIn(Level level, String format, @Nullable Object[] arguments) {
        int last = arguments.length - 1;
        if (last < 0 || !(arguments[last] instanceof Throwable failure)) {
            return;
        }
        @Nullable Object[] readable = arguments.clone();
        readable[last] = SafeThrowable.standIn(failure);
        Throwable ignored = ForeignCode.run(() -> level.log(format, readable)); // the log itself is broken
    }

    @FunctionalInterface
    private interface Level {
        void log(String format, @Nullable Object... arguments);
    }
}
