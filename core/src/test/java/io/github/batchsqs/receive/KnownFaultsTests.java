/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.TestQueue.eventually;
import static io.github.batchsqs.receive.TestQueue.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.model.Message;

/** The faults that were reproduced in other listeners, by their numbers in the project's list, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class KnownFaultsTests {

    private static final Duration LONG = Duration.ofMinutes(10);

    private static final Logger log = LoggerFactory.getLogger(KnownFaultsTests.class);

    private final Runs runs = new Runs();

    @Test
    void fault1TheSameMessageTwiceInOneReceiveOrAcknowledgementDoesNotStopTheDeleting() throws Exception {
        Faults twiceInOneAnswer = new Faults() {
            @Override
            public boolean deliverTwice(Call call, String messageId) {
                return true;
            }
        };
        try (TestQueue queue = TestQueue.standard().with(twiceInOneAnswer)) {
            queue.send(100);
            queue.listen(TestQueue::manual, batch -> {
                runs.addAll(batch);
                for (SqsMessage<String> message : batch) {
                    CompletableFuture<Void> ignored = batch.acknowledgement().acknowledge(List.of(message, message));
                }
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(100);
            assertThat(runs.repeated()).isEmpty();
            assertThat(queue.events.failedCalls).isEmpty();
        }
    }

    @Test
    void fault2OneStuckMessageAmongAThousandHoldsNoOtherUp() throws Exception {
        long warmUp = drainThousand("m");
        long free = drainThousand("m");
        long besideAStuckOne = drainThousand("stuck");
        log.warn( // INFO is off in these tests
                "999 messages took {} ms beside a stuck one, {} ms without one ({} ms when cold)",
                besideAStuckOne,
                free,
                warmUp);
    }

    /** Drains 1,000 messages; one that is {@code stuck} ends after all others. How long the others took, in milliseconds. */
    private static long drainThousand(String first) throws Exception {
        CountDownLatch othersAreHandled = new CountDownLatch(999);
        Runs runs = new Runs();
        try (TestQueue queue = TestQueue.standard()) {
            queue.send(first);
            queue.send(999);
            long start = System.nanoTime();
            queue.listen(options -> options.batchSize(1).concurrency(4), batch -> {
                if (!batch.payloads().contains(first)) {
                    othersAreHandled.countDown();
                } else if (first.equals("stuck")) {
                    assertThat(othersAreHandled.await(60, TimeUnit.SECONDS)).isTrue();
                }
                runs.addAll(batch);
                return BatchOutcome.done();
            });
            assertThat(othersAreHandled.await(60, TimeUnit.SECONDS)).isTrue();
            long nanos = System.nanoTime() - start;

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(1_000);
            assertThat(runs.repeated()).isEmpty();
            return TimeUnit.NANOSECONDS.toMillis(nanos);
        }
    }

    @Test
    void fault3AStopUnderLoadInterruptsNobodyLosesNoAcknowledgementAndGivesTheRestBack() throws Exception {
        AtomicInteger interrupted = new AtomicInteger();
        try (TestQueue queue = TestQueue.standard(LONG)) {
            queue.send(300);
            ListenerContainer container =
                    queue.listen(options -> options.batchSize(1).concurrency(7).prefetch(40), batch -> {
                        runs.addAll(batch);
                        try {
                            work(Duration.ofMillis(100));
                        } catch (InterruptedException e) {
                            interrupted.incrementAndGet();
                        }
                        return BatchOutcome.done();
                    });
            eventually(() -> assertThat(runs.total()).isGreaterThanOrEqualTo(30));

            container.stop();

            int handled = runs.total();
            assertThat(handled).isLessThan(300);
            assertThat(interrupted).hasValue(0);
            assertThat(queue.events.acknowledged.get()).isEqualTo(handled);
            assertThat(queue.visible()).isEqualTo(300 - handled);
            assertThat(queue.hidden()).isZero();
        }
    }

    @Test
    void fault4AnIdleStopDoesNotWaitForTheEndOfTheLongPoll() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            ListenerContainer container = queue.listen(
                    options -> options.waitTime(Duration.ofSeconds(20)).pollers(4, 4), BatchListener.of(runs::addAll));
            eventually(() -> assertThat(container.status().permits()).isEqualTo(40));

            CompletableFuture.runAsync(container::stop).get(12, TimeUnit.SECONDS);

            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        }
    }

    @Test
    void fault5AFailedReceiveDropsNothingThatSiblingReceivesBroughtForTheSameBatch() throws Exception {
        Faults everyThirdReceiveFails = new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.RECEIVE && call.number() % 3 == 0) {
                    throw call.throttled();
                }
            }
        };
        try (TestQueue queue = TestQueue.standard(LONG).with(everyThirdReceiveFails)) {
            queue.send(300);
            queue.listen(
                    options -> options.batchSize(100)
                            .batchLinger(Duration.ofSeconds(1))
                            .pollers(4, 8),
                    BatchListener.of(runs::addAll));

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(300);
            assertThat(runs.repeated()).isEmpty();
            assertThat(queue.events.failedCalls).isNotEmpty().containsOnly("ReceiveMessage RequestThrottled");
        }
    }

    @Test
    void fault6AQuietGroupsAcknowledgementIsFlushedWhileAnotherGroupIsBusy() throws Exception {
        AtomicInteger busyMessages = new AtomicInteger();
        CompletableFuture<Void> quietIsDeleted = new CompletableFuture<>();
        try (TestQueue queue = TestQueue.fifo()) {
            queue.sendTo("busy", "busy0");
            queue.sendTo("quiet", "quiet");
            queue.listen(TestQueue::manual, batch -> {
                CompletableFuture<Void> deleted = batch.acknowledgement().acknowledge();
                if (batch.payloads().contains("quiet")) {
                    CompletableFuture<Void> ignored = deleted.thenRun(() -> quietIsDeleted.complete(null));
                } else if (!quietIsDeleted.isDone() || busyMessages.get() < 20) {
                    queue.sendTo("busy", "busy" + busyMessages.incrementAndGet());
                }
                return BatchOutcome.done();
            });

            quietIsDeleted.get(60, TimeUnit.SECONDS);

            eventually(() -> assertThat(busyMessages.get()).isGreaterThanOrEqualTo(20));
            queue.eventuallyEmpty();
        }
    }

    @Test
    void fault7AHundredVisibilityChangesGoOutInTens() throws Exception {
        try (TestQueue queue = TestQueue.standard(Duration.ofSeconds(10))) {
            queue.send(100);
            queue.listen(options -> options.batchSize(100).batchLinger(Duration.ofSeconds(1)), batch -> {
                boolean first = false;
                for (SqsMessage<String> message : batch) {
                    first |= runs.add(message) == 1;
                }
                if (first) {
                    work(Duration.ofSeconds(6));
                    throw new TestQueue.Refused("all of them go back");
                }
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();

            assertThat(queue.events.mostVisibilityEntries()).isEqualTo(10);
            assertThat(queue.events.leasesExtended.get()).isPositive();
            assertThat(queue.events.released.get()).isGreaterThanOrEqualTo(100);
            assertThat(queue.events.failedCalls).isEmpty();
        }
    }

    @Test
    void fault8APayloadThatCannotBeConvertedReachesTheErrorHookAndIsCounted() throws Exception {
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
    void fault9AFailedDeleteEntryIsTriedAgain() throws Exception {
        Set<String> refusedOnce = ConcurrentHashMap.newKeySet();
        Faults everyDeleteFailsOnce = new Faults() {
            @Override
            public @Nullable Rejection reject(Call call, int index, String subject) {
                boolean refuse = call.operation() == Operation.DELETE && refusedOnce.add(subject);
                return refuse ? Rejection.INTERNAL_ERROR : null;
            }
        };
        try (TestQueue queue = TestQueue.standard(LONG).with(everyDeleteFailsOnce)) {
            queue.send(50);
            queue.listen(options -> options, BatchListener.of(runs::addAll));

            queue.eventuallyEmpty();

            assertThat(refusedOnce).hasSize(50);
            assertThat(runs.messages()).isEqualTo(50);
            assertThat(runs.repeated()).isEmpty();
            assertThat(queue.events.acknowledgeFailures.get()).isZero();
        }
    }

    @Test
    void fault11OfABatchWithAFailedSubsetTheRestIsDeletedAndTheFailedMessagesStay() throws Exception {
        try (TestQueue queue = TestQueue.standard(LONG)) {
            queue.send("fails0", "passes0", "fails1", "passes1");
            ListenerContainer container = queue.listen(options -> options, this::failSome);
            eventually(() -> assertThat(queue.failures).containsOnlyKeys("fails0", "fails1"));
            eventually(() -> assertThat(queue.events.acknowledged.get()).isEqualTo(2));

            container.stop();

            assertThat(runs.of("passes0")).isEqualTo(1);
            assertThat(runs.of("passes1")).isEqualTo(1);
            assertThat(queue.size()).isEqualTo(2);
        }
    }

    private BatchOutcome failSome(MessageBatch<String> batch) {
        runs.addAll(batch);
        List<SqsMessage<String>> failed = batch.messages().stream()
                .filter(message -> message.payload().startsWith("fails"))
                .toList();
        if (!failed.isEmpty()) {
            throw PartialBatchException.of(failed, new TestQueue.Refused("these"));
        }
        return BatchOutcome.done();
    }

    @Test
    void fault12ADeadLetterOfAGroupKeepsItAndIsNotDoubledByARetryOfItsSend() throws Exception {
        Faults firstSendIsNotAnswered = new Faults() {
            @Override
            public void after(Call call) {
                if (call.operation() == Operation.SEND && call.number() == 1) {
                    throw call.connectionFailed();
                }
            }
        };
        try (TestQueue queue = TestQueue.fifoWithDeadLetters(5).with(firstSendIsNotAnswered)) {
            queue.sendTo("g1", "bad");
            queue.listen(
                    options -> options.failure(TestQueue.refuseArguments("redrive-policy")), BatchListener.of(batch -> {
                        throw new IllegalArgumentException("never");
                    }));

            queue.eventuallyEmpty();

            Message dead = queue.deadLetters(1).getFirst();
            assertThat(dead.attributesAsStrings()).containsEntry("MessageGroupId", "g1");
            assertThat(queue.deadLettersLeft()).isZero();
            assertThat(queue.events.failedCalls).containsExactly("SendMessageBatch ConnectionFailed");
        }
    }
}
