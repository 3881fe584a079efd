/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What everybody in this JVM logs while it is open, stack traces included. */
public final class LogCapture implements AutoCloseable {

    private final Logger root = root();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final @Nullable Level before = root.getLevel();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getLevel() + " " + event.getLoggerName() + " " + event.getFormattedMessage() + "\n"
                    + ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
    };

    private LogCapture(Level level) {
        root.setLevel(level);
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
    }

    /** While another thread makes the first logger of this JVM, SLF4J hands out loggers that stand in for the real ones. */
    private static Logger root() {
        while (true) {
            if (LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger logger) {
                return logger;
            }
            Thread.onSpinWait();
        }
    }

    /** Warnings and errors, as the tests have it. */
    public static LogCapture warnings() {
        return new LogCapture(Level.WARN);
    }

    /** From this level on; for tests that run alone, since the level is everybody's. */
    public static LogCapture from(Level level) {
        return new LogCapture(level);
    }

    /** The events so far, each with its stack trace. */
    public List<String> events() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        root.setLevel(before);
        appender.stop();
    }
}
