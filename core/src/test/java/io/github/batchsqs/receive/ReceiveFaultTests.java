/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.TestQueue.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Receives that fail, messages that get stuck and payloads that cannot be read, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class ReceiveFaultTests {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final Runs runs = new Runs();

    @Test
    void oneStuckMessageAmongAThousandDelaysNoOther() throws Exception {
        CountDownLatch othersAreHandled = new CountDownLatch(999);
        try (TestQueue queue = TestQueue.standard()) {
            queue.send("stuck");
            queue.send(999);
            queue.listen(options -> options.batchSize(1).concurrency(4), batch -> {
                if (batch.payloads().contains("stuck")) {
                    Progress.await(othersAreHandled);
                } else {
                    othersAreHandled.countDown();
                }
                runs.addAll(batch);
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(1_000);
            assertThat(runs.repeated()).isEmpty();
        }
    }

    @Test
    void aFailedReceiveDropsNothingThatSiblingReceivesBroughtForTheSameBatch() throws Exception {
        Faults everyThirdReceiveFails = new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.RECEIVE && call.number() % 3 == 0) {
                    throw call.throttled();
                }
            }
        };
        try (TestQueue queue = TestQueue.standard(LONG).with(everyThirdReceiveFails)) {
            queue.send(120);
            queue.listen(
                    options -> options.batchSize(40)
                            .batchLinger(Duration.ofSeconds(1))
                            .pollers(4, 8),
                    BatchListener.of(runs::addAll));

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(120);
            assertThat(runs.repeated()).isEmpty();
            eventually(() -> assertThat(queue.events.failedCalls).isNotEmpty());
            assertThat(queue.events.failedCalls).containsOnly("ReceiveMessage RequestThrottled");
        }
    }

    @Test
    void aPayloadThatCannotBeConvertedReachesTheErrorHookAndIsCounted() throws Exception {
        try (TestQueue queue = TestQueue.standardWithDeadLetters(Duration.ofSeconds(30), 3)) {
            queue.send("one", "2");
            queue.container(
                            options -> options,
                            message -> Integer.valueOf(message.body()),
                            batch -> BatchOutcome.done())
                    .start();

            assertThat(queue.deadLetters(1).getFirst().body()).isEqualTo("one");

            queue.eventuallyEmpty();
            assertThat(queue.failures).containsOnlyKeys("one");
            assertThat(queue.failures.get("one")).isInstanceOf(NumberFormatException.class);
            assertThat(queue.events.conversionFailures.get()).isEqualTo(1);
        }
    }

    @Test
    void theHealthRecoversAfterAFailure() throws Exception {
        AtomicBoolean down = new AtomicBoolean(true);
        Faults outage = new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.RECEIVE && down.get()) {
                    throw call.connectionFailed();
                }
            }
        };
        try (TestQueue queue = TestQueue.standard().with(outage)) {
            queue.send(10);
            ListenerContainer container = queue.listen(options -> options, BatchListener.of(runs::addAll));
            eventually(() -> assertThat(container.status().receiveFailingFor()).isPositive());

            down.set(false);

            eventually(() -> assertThat(runs.messages()).isEqualTo(10));
            eventually(() -> assertThat(container.status().receiveFailingFor()).isZero());
        }
    }

    @Test
    void theInFlightTableIsEmptyWhenNothingIsInFlight() throws Exception {
        try (TestQueue queue = TestQueue.standardWithDeadLetters(Duration.ofSeconds(30), 2)) {
            queue.send(300);
            ListenerContainer container =
                    queue.listen(options -> options.failure(TestQueue.refuseArguments("redrive-policy")), batch -> {
                        BatchOutcome.Builder outcome = BatchOutcome.perMessage();
                        for (SqsMessage<String> message : batch) {
                            settle(outcome, message, runs.add(message));
                        }
                        return outcome.build();
                    });

            eventually(() -> assertThat(runs.messages()).isEqualTo(300));
            queue.eventuallyEmpty();
            container.pause();

            eventually(() -> assertThat(container.status().inFlight()).isZero());
            assertThat(container.status().handoffSize()).isZero();
        }
    }

    /** Every seventh is a dead letter, every fifth is retried once, every third is not mentioned once. */
    private static void settle(BatchOutcome.Builder outcome, SqsMessage<String> message, int run) {
        int number = Integer.parseInt(message.payload().substring(1));
        if (number % 7 == 0) {
            outcome.deadLetter(message, new TestQueue.Refused("seventh"));
        } else if (number % 5 == 0 && run == 1) {
            outcome.retry(message);
        } else if (number % 3 != 0 || run > 1) {
            outcome.done(message);
        }
    }
}
