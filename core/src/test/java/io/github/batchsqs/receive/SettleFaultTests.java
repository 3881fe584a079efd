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
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.model.Message;

/** Deletes, visibility changes and dead letters that a fault meets, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class SettleFaultTests {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final Runs runs = new Runs();

    @Test
    void aMessageThatComesTwiceInOneReceiveOrAcknowledgementDoesNotStopTheDeletes() throws Exception {
        Faults twiceInOneResponse = new Faults() {
            @Override
            public boolean deliverTwice(Call call, String messageId) {
                return true;
            }
        };
        try (TestQueue queue = TestQueue.standard().with(twiceInOneResponse)) {
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
    void aDeleteEntryThatFailsIsRetried() throws Exception {
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
    void ofABatchWithAFailedSubsetTheRestIsDeletedAndTheFailedMessagesStay() throws Exception {
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
    void theAcknowledgementOfAQuietGroupIsFlushedWhileAnotherGroupIsBusy() throws Exception {
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

            Progress.get(quietIsDeleted);

            eventually(() -> assertThat(busyMessages.get()).isGreaterThanOrEqualTo(20));
            queue.eventuallyEmpty();
        }
    }

    @Test
    void aHundredVisibilityChangesGoOutInTens() throws Exception {
        try (TestQueue queue = TestQueue.standard(Duration.ofSeconds(20))) {
            queue.send(100);
            queue.listen(options -> options.batchSize(100).batchLinger(Duration.ofSeconds(1)), batch -> {
                boolean first = false;
                for (SqsMessage<String> message : batch) {
                    first |= runs.add(message) == 1;
                }
                if (first) {
                    eventually(
                            () -> assertThat(queue.events.leasesExtended.get()).isPositive());
                    throw new TestQueue.Refused("all of them return to the queue");
                }
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();

            eventually(() -> assertThat(queue.events.released.get()).isGreaterThanOrEqualTo(100));
            assertThat(queue.events.mostVisibilityEntries()).isEqualTo(10);
            assertThat(queue.events.leasesExtended.get()).isPositive();
            assertThat(queue.events.failedCalls).isEmpty();
        }
    }

    @Test
    void aCallThatWasGivenUpAndIsAcceptedAfterAllReturnsItsPermitsOnce() throws Exception {
        Duration lease = Duration.ofSeconds(1);
        Faults slowVisibilityChanges = new Faults() {
            @Override
            public void after(Call call) throws InterruptedException {
                if (call.operation() == Operation.CHANGE_VISIBILITY) {
                    work(lease.multipliedBy(2));
                }
            }
        };
        try (TestQueue queue = TestQueue.standard(lease).with(slowVisibilityChanges)) {
            queue.send(20);
            ListenerContainer container = queue.listen(
                    options -> options.visibility(new ListenerOptions.Visibility(null, Duration.ZERO)),
                    BatchListener.of(batch -> {
                        runs.addAll(batch);
                        if (runs.total() <= 20) {
                            throw new TestQueue.Refused("the first try fails");
                        }
                    }));

            queue.eventuallyEmpty();
            container.pause();

            eventually(() -> assertThat(container.status().inFlight()).isZero());
            container.resume();
            queue.send("more");
            eventually(() -> assertThat(runs.of("more")).isPositive());
        }
    }

    @Test
    void aDeadLetterKeepsItsGroupAndARetryOfItsSendDoesNotDuplicateIt() throws Exception {
        Faults firstSendGetsNoResponse = new Faults() {
            @Override
            public void after(Call call) {
                if (call.operation() == Operation.SEND && call.number() == 1) {
                    throw call.connectionFailed();
                }
            }
        };
        try (TestQueue queue = TestQueue.fifoWithDeadLetters(5).with(firstSendGetsNoResponse)) {
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
