/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes log lines that must not fail: those that are written before messages are settled. A line that cannot be written is dropped.
 *
 * <p>Arguments are those of SLF4J: one for each {@code {}}, then the throwable whose stack trace is logged. Safe for use by
 * any thread.
 */
public record SafeLog(Logger log) {

    public void info(String format, @Nullable Object... arguments) {
        Throwable ignored = ForeignCode.run(() -> log.info(format, arguments));
    }

    public void warn(String format, @Nullable Object... arguments) {
        Throwable ignored = ForeignCode.run(() -> log.warn(format, arguments));
    }

    public void error(String format, @Nullable Object... arguments) {
        Throwable ignored = ForeignCode.run(() -> log.error(format, arguments));
    }
}
