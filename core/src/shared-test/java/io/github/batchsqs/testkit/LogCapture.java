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
import java.util.concurrent.ForkJoinWorkerThread;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * What the thread that opened it and the threads started by it log while it is open, stack traces included. It changes nothing
 * for others: neither their levels nor what they log is touched, nor do they show up here.
 */
public final class LogCapture implements AutoCloseable {

    private static final InheritableThreadLocal<@Nullable LogCapture> HEARD = new InheritableThreadLocal<>() {
        @Override
        protected @Nullable LogCapture childValue(@Nullable LogCapture parent) {
            return parent == null || startsWorker() ? null : parent;
        }
    };

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender;

    private LogCapture(Level lowest, boolean everybody) {
        appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (event.getLevel().isGreaterOrEqual(lowest) && (everybody || LogCapture.this.equals(HEARD.get()))) {
                    lines.add(event.getLevel() + " " + event.getLoggerName() + " " + event.getFormattedMessage() + "\n"
                            + ThrowableProxyUtil.asString(event.getThrowableProxy()));
                }
            }
        };
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
        HEARD.set(this);
    }

    /** A pool of JUnit that needs one more thread makes it on the thread of a test; it runs the tests of others. */
    private static boolean startsWorker() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames ->
                        frames.anyMatch(frame -> ForkJoinWorkerThread.class.isAssignableFrom(frame.getDeclaringClass())
                                && frame.getMethodName().equals("<init>")));
    }

    /** Warnings and errors. */
    public static LogCapture warnings() {
        return new LogCapture(Level.WARN, false);
    }

    /** Lines at INFO and above. */
    public static LogCapture infos() {
        return new LogCapture(Level.INFO, false);
    }

    /** What everybody in this JVM logs at INFO and above; for tests that run alone. */
    public static LogCapture everybody() {
        return new LogCapture(Level.INFO, true);
    }

    /** The events so far, each with its stack trace. */
    public List<String> events() {
        return List.copyOf(lines);
    }

    /** The event, if there is one alone so far. */
    public String event() {
        return event("");
    }

    /** The event with these words, if there is one alone so far. */
    public String event(String words) {
        List<String> found =
                events().stream().filter(event -> event.contains(words)).toList();
        if (found.size() != 1) {
            throw new AssertionError("Not one event with '" + words + "', but " + found.size() + " of " + events());
        }
        return found.getFirst();
    }

    @Override
    public void close() {
        if (this.equals(HEARD.get())) {
            HEARD.remove();
        }
        root.detachAppender(appender);
        appender.stop();
    }
}
