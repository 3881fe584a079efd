/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.TestQueue.eventually;
import static io.github.batchsqs.receive.TestQueue.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Visibility timeouts that run out for real, on a real server. */
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

    @Test
    void aLeaseThatIsLostIsCountedAndVisibleToTheHandlerForGood() throws Exception {
        AtomicBoolean sawIt = new AtomicBoolean();
        AtomicBoolean sawItStay = new AtomicBoolean();
        try (TestQueue queue = TestQueue.standard(TIMEOUT)) {
            queue.send("slow");
            queue.listen(options -> options.visibility(new ListenerOptions.Visibility(null, Duration.ZERO)), batch -> {
                SqsMessage<String> message = batch.messages().getFirst();
                String handle = message.receiptHandle();
                assertThat(message.leaseLost()).isFalse();
                runs.addAll(batch);
                eventually(() -> assertThat(message.leaseLost()).isTrue());
                sawIt.set(true);
                eventually(() -> assertThat(message.receiptHandle()).isNotEqualTo(handle));
                sawItStay.set(message.leaseLost());
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();

            assertThat(sawIt).isTrue();
            assertThat(sawItStay).isTrue();
            assertThat(queue.events.leasesLost.get()).isPositive();
            assertThat(runs.of("slow")).isEqualTo(1);
        }
    }

    @Test
    void afterTheLongestExtensionTheMessageComesAgainElsewhere() throws Exception {
        AtomicBoolean elsewhere = new AtomicBoolean();
        try (TestQueue queue = TestQueue.standard(TIMEOUT)) {
            queue.send("stuck");
            ListenerContainer stuck = queue.listen(
                    options -> options.visibility(new ListenerOptions.Visibility(null, TIMEOUT.multipliedBy(2))),
                    batch -> {
                        runs.addAll(batch);
                        eventually(() -> assertThat(elsewhere).isTrue());
                        return BatchOutcome.done();
                    });
            eventually(() -> assertThat(runs.of("stuck")).isEqualTo(1));
            stuck.pause();
            queue.listen(options -> options, batch -> {
                elsewhere.set(true);
                return BatchOutcome.done();
            });

            eventually(() -> assertThat(elsewhere).isTrue());
            queue.eventuallyEmpty();
        }
    }
}
