/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecurringLogTests {

    private final SettableTime time = new SettableTime();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final RecurringLog log = new RecurringLog(logger(), time, "Unreadable messages");

    private Logger logger() {
        LoggerContext context = new LoggerContext();
        Logger logger = context.getLogger("recurring");
        logger.setLevel(Level.INFO);
        lines.start();
        logger.addAppender(lines);
        return logger;
    }

    private List<String> logged() {
        return lines.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    @Test
    void countsFurtherEventsOnceAMinuteAndRecordsTheEnd() {
        int full = 0;
        for (int second = 0; second < 90; second++) {
            full += log.record(2, "no " + second) ? 1 : 0;
            log.logDue();
            time.advance(Duration.ofSeconds(1));
        }
        for (int second = 0; second < 130; second++) {
            log.logDue();
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(full).isEqualTo(1);
        assertThat(logged())
                .containsExactly(
                        "WARN Unreadable messages: 120 more in 1m, 122 in all; the last: no 60",
                        "WARN Unreadable messages: 58 more in 1m, 180 in all; the last: no 89",
                        "INFO Unreadable messages: none for 1m after 180 in 149s");
    }

    @Test
    void writesAtTheStopWhatNoLineHasCounted() {
        log.logRest();
        assertThat(log.record(1, "a")).isTrue();
        log.logRest();
        assertThat(logged()).isEmpty();
        assertThat(log.record(2, "b")).isFalse();
        time.advance(Duration.ofSeconds(20));
        log.logRest();
        log.logRest();
        assertThat(logged()).containsExactly("WARN Unreadable messages: 2 more in 20s, 3 in all; the last: b");
    }

    @Test
    void beginsAgainAfterAQuietMinute() {
        assertThat(log.record(1, "a")).isTrue();
        assertThat(log.record(1, "b")).isFalse();
        time.advance(Duration.ofMinutes(1));
        log.logDue();

        assertThat(log.record(1, "c")).isTrue();
        assertThat(logged())
                .containsExactly(
                        "WARN Unreadable messages: 1 more in 1m, 2 in all; the last: b",
                        "INFO Unreadable messages: none for 1m after 2 in 1m");
    }

    @Test
    void endsASingleEventToo() {
        assertThat(log.record(1, "a")).isTrue();
        time.advance(Duration.ofSeconds(59));
        log.logDue();
        assertThat(logged()).isEmpty();
        time.advance(Duration.ofSeconds(1));
        log.logDue();
        log.logDue();
        assertThat(logged()).containsExactly("INFO Unreadable messages: none for 1m after 1 in 1m");
    }
}
