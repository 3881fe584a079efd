/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static io.github.batchsqs.internal.receive.TestQueue.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Visibility timeouts that run out for real, or that a handler changes, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class LeaseServerTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final Runs runs = new Runs();

    @Test
    void aHandlerOfThreeTimesTheVisibilityTimeoutIsRunOnce() throws Exception {
        try (TestQueue queue = TestQueue.standard(TIMEOUT)) {
            queue.send(15);
            queue.listen(options -> options, batch -> {
                runs.addAll(batch);
                work(TIMEOUT.multipliedBy(3));
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(15);
            assertThat(runs.repeated()).isEmpty();
            assertThat(queue.events.leasesExtended.get()).isPositive();
        }
    }

    @Test
    void messagesThatWaitBehindASlowHandlerAreExtendedToo() throws Exception {
        try (TestQueue queue = TestQueue.standard(TIMEOUT)) {
            queue.send(6);
            queue.listen(
                    options -> options.batchSize(1).concurrency(1).prefetch(10).pollers(1, 1), batch -> {
                        if (runs.total() == 0) {
                            runs.addAll(batch);
                            work(TIMEOUT.multipliedBy(3));
                        } else {
                            runs.addAll(batch);
                        }
                        return BatchOutcome.done();
                    });

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(6);
            assertThat(runs.repeated()).isEmpty();
        }
    }

    @Test
    void aTimeoutOfTheListenersOwnTakesThePlaceOfTheQueues() throws Exception {
        try (TestQueue queue = TestQueue.standard(Duration.ofMinutes(10))) {
            queue.send("one");
            queue.listen(
                    options -> options.visibility(new ListenerOptions.Visibility(TIMEOUT, Duration.ZERO)), batch -> {
                        runs.addAll(batch);
                        return runs.total() == 1
                                ? BatchOutcome.perMessage()
                                        .leave(batch.messages().getFirst())
                                        .build()
                                : BatchOutcome.done();
                    });

            queue.eventuallyEmpty();

            assertThat(runs.of("one")).isEqualTo(2);
        }
    }

    private static ListenerOptions.Builder neverByItself(ListenerOptions.Builder options) {
        Duration never = Duration.ofHours(11);
        return options.failure(new ListenerOptions.Failure(
                new Backoff(never, 1, never, false), false, List.of(), ListenerOptions.Failure.NO_DEAD_LETTER));
    }

    @Test
    void aFailedMessageIsDeliveredAgainAtTheTimeOfTheHandler() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            queue.send("a");
            queue.listen(LeaseServerTests::neverByItself, batch -> {
                if (runs.add(batch.messages().getFirst()) == 1) {
                    batch.visibility().changeTo(Duration.ofSeconds(1)).join();
                    throw new TestQueue.Refused("not yet");
                }
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();

            assertThat(runs.of("a")).isEqualTo(2);
        }
    }
}
