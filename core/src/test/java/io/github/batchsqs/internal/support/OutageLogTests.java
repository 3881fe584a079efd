/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageLogTests {

    private final SettableTime time = new SettableTime();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final LoggerContext context = new LoggerContext();
    private final List<Object> heard = new ArrayList<>();
    private final OutageLog outage = new OutageLog(logger(), time, "Receiving from q", heard::add, heard::add);

    /** A logger of its own context: no other test hears it, and it hears no other. */
    private Logger logger() {
        Logger logger = context.getLogger("outage");
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
    void logsTheBeginningOncePerMinuteAndTheEndWithTheLength() {
        for (int second = 0; second < 130; second++) {
            outage.failed("ServiceUnavailable", "down");
            time.advance(Duration.ofSeconds(1));
        }
        outage.succeeded();

        assertThat(logged())
                .containsExactly(
                        "WARN Receiving from q fails (ServiceUnavailable): down; it is tried again until it succeeds",
                        "WARN Receiving from q has failed for 1m, 61 times; the last error is ServiceUnavailable: down",
                        "WARN Receiving from q has failed for 2m, 121 times; the last error is ServiceUnavailable: down",
                        "INFO Receiving from q succeeds again after 130s and 130 failures");
    }

    @Test
    void othersHearOfTheOutagesThatTheLogHasAndOfNoMore() {
        for (int second = 0; second < 30; second++) {
            outage.failed("ServiceUnavailable", "down");
            time.advance(Duration.ofSeconds(1));
            outage.succeeded();
        }
        assertThat(heard).containsExactly("ServiceUnavailable", Duration.ofSeconds(1));
        heard.clear();

        for (int second = 0; second <= 5; second++) {
            assertThat(heard).isEmpty();
            outage.failed("ServiceUnavailable", "down");
            time.advance(Duration.ofSeconds(1));
        }
        outage.succeeded();

        assertThat(heard).containsExactly("ServiceUnavailable", Duration.ofSeconds(6));
    }

    @Test
    void anOutageBeganWithTheSilence() {
        outage.failed("NoResponse", "silence", 1, Duration.ofSeconds(25));
        time.advance(Duration.ofSeconds(35));
        outage.succeeded();

        assertThat(heard).containsExactly("NoResponse", Duration.ofSeconds(60));
    }

    @Test
    void goesOnWhenACallSucceedsThatBeganBeforeTheLastFailure() {
        long calledAt = time.nanos();
        time.advance(Duration.ofMillis(40));
        outage.failed("Redirected", "302");
        outage.succeeded(calledAt);
        time.advance(Duration.ofSeconds(20));
        outage.failed("Redirected", "302");
        outage.succeeded(time.nanos());

        assertThat(logged())
                .containsExactly(
                        "WARN Receiving from q fails (Redirected): 302; it is tried again until it succeeds",
                        "INFO Receiving from q succeeds again after 20s and 2 failures");
    }

    /** People read it: no digits beyond those that matter, one failure, and one full stop. */
    @Test
    void logsLengthsAndNumbersAsPeopleReadThem() {
        outage.failed("QueueDoesNotExist", "The specified queue does not exist.");
        time.advance(Duration.ofMillis(70_697));
        outage.succeeded();

        assertThat(logged())
                .containsExactly(
                        "WARN Receiving from q fails (QueueDoesNotExist): The specified queue does not exist; it is"
                                + " tried again until it succeeds",
                        "INFO Receiving from q succeeds again after 70s and 1 failure");
    }

    /** The log goes on until a call succeeds that no failure interrupts, but not every call fails. */
    @Test
    void measuresHowLongEveryCallHasFailedAlthoughTheOutageGoesOn() {
        Duration stale = Duration.ofMinutes(2);
        outage.failed("AccessDenied", "denied");
        time.advance(Duration.ofSeconds(1));
        long calledAt = time.nanos();
        time.advance(Duration.ofSeconds(59));
        outage.failed("AccessDenied", "denied");
        assertThat(outage.lasting(stale)).isEqualTo(Duration.ofMinutes(1));

        outage.succeeded(calledAt);
        assertThat(outage.lasting(stale)).isZero();
        assertThat(outage.failingFor()).isZero();
        time.advance(Duration.ofSeconds(2));
        outage.failed("AccessDenied", "denied");
        assertThat(outage.lasting(stale)).isEqualTo(Duration.ofSeconds(2));
        assertThat(logged()).noneMatch(line -> line.contains("succeeds again"));
    }

    @Test
    void logsANewCodeOfTheSameOutageAtOnce() {
        outage.failed("ThrottlingException", "slow down");
        outage.failed("AccessDenied", "sqs:DeleteMessage");
        outage.failed("ThrottlingException", "slow down");

        assertThat(logged()).hasSize(2);
        assertThat(logged().getLast()).contains("AccessDenied: sqs:DeleteMessage");
    }

    @Test
    void logsOneOutagePerMinuteOfCallsThatFailEveryOtherTime() {
        for (int call = 0; call < 50; call++) {
            outage.failed("InternalError", "oops");
            outage.succeeded();
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(logged()).hasSize(2);
    }

    @Test
    void logsAnOutageThatBeginsWithinAMinuteOfTheLastOneWhenItIsCertain() {
        outage.failed("InternalError", "oops");
        outage.succeeded();
        time.advance(Duration.ofSeconds(10));
        for (int second = 0; second <= 5; second++) {
            outage.failed("InternalError", "oops");
            time.advance(Duration.ofSeconds(1));
        }
        outage.succeeded();

        assertThat(logged())
                .hasSize(4)
                .last()
                .isEqualTo("INFO Receiving from q succeeds again after 6s and 6 failures");
    }

    @Test
    void writesNoLineUnderItsLockAndThrowsNothing() {
        var broken = new ListAppender<ILoggingEvent>() {
            @Override
            @SuppressWarnings("UnsynchronizedOverridesSynchronized") // another thread logs meanwhile
            public void doAppend(ILoggingEvent event) {
                Thread other = Thread.ofPlatform().start(() -> outage.failed("InternalError", "oops"));
                Progress.join(other);
                throw new IllegalStateException("disk full");
            }
        };
        broken.start();
        context.getLogger("outage").addAppender(broken);
        outage.failed("InternalError", "oops");
        time.advance(Duration.ofSeconds(1));

        assertThat(outage.failingFor()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void othersHearOfTheEndAfterTheBeginning() {
        var slow = new ListAppender<ILoggingEvent>() {
            @Override
            @SuppressWarnings("UnsynchronizedOverridesSynchronized") // another thread logs meanwhile
            public void doAppend(ILoggingEvent event) {
                if (event.getLevel() == Level.WARN) {
                    Progress.join(Thread.ofPlatform().start(outage::succeeded));
                }
            }
        };
        slow.start();
        context.getLogger("outage").addAppender(slow);
        outage.failed("InternalError", "oops");

        assertThat(heard).containsExactly("InternalError", Duration.ZERO);
    }

    @Test
    void logsNothingWhileCallsSucceed() {
        outage.succeeded();

        assertThat(logged()).isEmpty();
        assertThat(outage.failingFor()).isEqualTo(Duration.ZERO);
    }
}
