/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PollerTests {

    private static final Duration LONG_POLL = Duration.ofSeconds(20);
    private static final Duration WAIT_TIME = Duration.ofSeconds(2);
    /** A time just below half of the wait time. */
    private static final long EARLY = Duration.ofSeconds(1).toNanos() - 1;
    /** Draws the longest delay. */
    private static final RandomGenerator LONGEST = new RandomGenerator() {
        @Override
        public long nextLong() {
            return Long.MAX_VALUE;
        }

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    };

    private final QueueCallException refused =
            new QueueCallException("ReceiveMessage", "ServiceUnavailable", "down", true, null);
    private final SettableTime time = new SettableTime();
    private final ListenerQueue source = source(Duration.ZERO);

    @Test
    void whileReceivesFailAnEmptyQueueIsKnownToRespondWithinThreeSeconds() {
        Poller poller = poller(source);
        ReceiveOutage outage = new ReceiveOutage();
        Duration longest = Duration.ZERO;
        for (int receive = 1; receive <= 1_000; receive++) {
            outage.failed(new ReceiveFailure(refused.code(), "X", null), time.nanos());
            Duration pause = poller.failed(refused, time.nanos());
            assertThat(poller.failures()).isEqualTo(receive);
            assertThat(poller.pauseNanos(time.nanos())).isEqualTo(pause.toNanos());
            Duration untilResponse =
                    pause.plus(outage.waitTime(LONG_POLL, false)); // an empty queue responds at the end of its poll
            longest = untilResponse.compareTo(longest) > 0 ? untilResponse : longest;
            time.advance(pause);
            assertThat(poller.pauseNanos(time.nanos())).isZero();
        }
        assertThat(longest).isGreaterThan(Duration.ofSeconds(1)).isLessThanOrEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void pausesAsLongAsTheResponseAsksForAndAtMostTwentySeconds() {
        Poller poller = poller(source);
        for (int asked : List.of(6, 20, 3_600)) {
            Duration paused = poller.failed(unavailable(asked), time.nanos());
            assertThat(paused).isEqualTo(Duration.ofSeconds(Math.min(asked, 20)));
            assertThat(poller.pauseNanos(time.nanos())).isEqualTo(paused.toNanos());
        }
        assertThat(poller.failed(unavailable(0), time.nanos())).isLessThanOrEqualTo(Duration.ofSeconds(2));
    }

    private static QueueCallException unavailable(int retryAfter) {
        return new QueueCallException(
                "ReceiveMessage",
                "ServiceUnavailable",
                "down",
                true,
                false,
                true,
                Duration.ofSeconds(retryAfter),
                null);
    }

    @Test
    void pausesLongerAfterEachEarlyEmptyResponseAndAtMostForTheWaitTime() {
        Poller poller = poller(source);
        for (int pause : List.of(100, 200, 400, 800, 1_600, 2_000, 2_000)) {
            assertThat(pauseAfter(poller, 0, WAIT_TIME, EARLY)).isEqualTo(Duration.ofMillis(pause));
        }
        for (int response = 0; response < 1_000; response++) {
            assertThat(pauseAfter(poller, 0, WAIT_TIME, 0)).isEqualTo(WAIT_TIME);
        }
    }

    @Test
    void pausesAtMostTwoSecondsHoweverLongTheWaitTimeIs() {
        Poller poller = poller(source);
        Duration pause = Duration.ZERO;
        for (int response = 0; response < 20; response++) {
            pause = pauseAfter(poller, 0, Duration.ofSeconds(20), 0);
        }
        assertThat(pause).isEqualTo(Poller.LONGEST_EARLY_PAUSE);
    }

    @Test
    void pausesBrieflyAgainAfterMessages() {
        Poller poller = poller(source);
        assertThat(pauseAfter(poller, 0, WAIT_TIME, EARLY)).isEqualTo(Duration.ofMillis(100));
        assertThat(pauseAfter(poller, 0, WAIT_TIME, EARLY)).isEqualTo(Duration.ofMillis(200));
        assertThat(pauseAfter(poller, 1, WAIT_TIME, 0)).isZero();
        assertThat(pauseAfter(poller, 0, WAIT_TIME, EARLY)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void shortPollsPauseOnlyForTheMinimumInterval() {
        assertThat(pauseAfter(poller(source), 0, Duration.ZERO, 0)).isZero();
        Poller spaced = poller(source(Duration.ofMillis(150)));
        assertThat(pauseAfter(spaced, 0, Duration.ZERO, 0)).isEqualTo(Duration.ofMillis(150));
    }

    @Test
    void theLongerOfPauseAndMinimumIntervalCounts() {
        Poller poller = poller(source(Duration.ofMillis(150)));
        assertThat(pauseAfter(poller, 0, WAIT_TIME, EARLY)).isEqualTo(Duration.ofMillis(150));
        assertThat(pauseAfter(poller, 0, WAIT_TIME, EARLY)).isEqualTo(Duration.ofMillis(200));
        assertThat(pauseAfter(poller, 10, WAIT_TIME, 0)).isZero();
    }

    private static Poller poller(ListenerQueue source) {
        return new Poller(source, new ReentrantLock().newCondition());
    }

    private Duration pauseAfter(Poller poller, int messages, Duration waitTime, long took) {
        poller.succeeded(new OpenReceive(time.nanos(), waitTime, 10), messages, took, time.nanos());
        return Duration.ofNanos(poller.pauseNanos(time.nanos()));
    }

    private ListenerQueue source(Duration minInterval) {
        return new ListenerQueue(
                ListenerOptions.builder("listener", "orders")
                        .concurrency(16)
                        .pollers(new ListenerOptions.Pollers(1, 1, minInterval))
                        .build(),
                new Queue("orders", "http://localhost/orders"),
                Duration.ofSeconds(30),
                new InMemoryQueueClient(time),
                ListenerEvents.NONE,
                time,
                LONGEST,
                null,
                failure -> {});
    }
}
