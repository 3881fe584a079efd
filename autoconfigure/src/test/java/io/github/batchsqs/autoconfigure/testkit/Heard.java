/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.testkit;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What the logger of a class logs until this is closed, other tests' lines included. */
public final class Heard implements AutoCloseable {

    private final Logger log;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    public Heard(Class<?> type) {
        log = (Logger) LoggerFactory.getLogger(type);
        lines.start();
        log.addAppender(lines);
    }

    /** Returns the lines that contain the text. */
    public List<String> lines(String text) {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(text))
                .toList();
    }

    @Override
    public void close() {
        log.detachAppender(lines);
    }
}
