/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.TestQueue.eventually;
import static io.github.batchsqs.receive.TestQueue.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The five parts of the tenth fault that was reproduced in other listeners, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class KnownFault10Tests {

    private final Runs runs = new Runs();

    @Test
    void fault10TheHealthRecoversAfterAFailure() throws Exception {
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
            assertThat(container.status().receiveFailingFor()).isZero();
        }
    }

    @Test
    void fault10TheInFlightTableIsEmptyWhenNothingIsInFlight() throws Exception {
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

    /** Every seventh is a dead letter, every fifth is retried once, every third is forgotten once. */
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

    @Test
    void fault10ACallThatWasGivenUpAndIsAcceptedAfterAllGivesItsPermitsBackOnce() throws Exception {
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
                    options -> options.visibility(new ListenerOptions.Visibility(null, false, Duration.ZERO)),
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
    void fault10RestartsLeaveNoTimersThatMakeTinyBatches() throws Exception {
        try (TestQueue queue = TestQueue.standard(Duration.ofSeconds(3))) {
            ListenerContainer container = queue.container(
                    options -> options.batchSize(1).waitTime(Duration.ofSeconds(1)), BatchListener.of(runs::addAll));
            for (int i = 0; i < 5; i++) {
                container.start();
                container.stop();
            }
            queue.send(300);
            container.start();

            eventually(() -> assertThat(queue.events.acknowledged.get()).isEqualTo(300));

            assertThat(queue.events.deletes()).isLessThanOrEqualTo(60);
        }
    }

    @Test
    void fault10StopMayBeCalledTwiceAndAtOnce() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            queue.send(100);
            ListenerContainer container = queue.listen(options -> options, batch -> {
                runs.addAll(batch);
                work(Duration.ofMillis(50));
                return BatchOutcome.done();
            });
            eventually(() -> assertThat(runs.total()).isPositive());
            List<CompletableFuture<Void>> stops = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                stops.add(CompletableFuture.runAsync(
                        container::stop, task -> Thread.ofVirtual().start(task)));
            }

            for (CompletableFuture<Void> stop : stops) {
                stop.get(60, TimeUnit.SECONDS);
            }
            container.stop();

            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            assertThat(queue.size()).isEqualTo(100 - runs.total());
        }
    }

    @Test
    void fault10AHeartbeatNeverRacesADelete() throws Exception {
        Duration timeout = Duration.ofSeconds(8);
        HeartbeatWatch watch = new HeartbeatWatch();
        try (TestQueue queue = TestQueue.standard(timeout).with(watch)) {
            queue.send(200);
            queue.listen(options -> options.batchSize(4).concurrency(50), batch -> {
                runs.addAll(batch);
                work(timeout.dividedBy(2));
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(200);
            assertThat(queue.events.leasesExtended.get()).isPositive();
            assertThat(watch.races).isEmpty();
        }
    }

    /** Holds heartbeats up a little, and notes when one meets the delete of the same message. */
    private static final class HeartbeatWatch implements Faults {

        private final Map<Long, Set<String>> heartbeats = new ConcurrentHashMap<>();
        private final Set<String> deleted = ConcurrentHashMap.newKeySet();
        final Set<String> races = ConcurrentHashMap.newKeySet();

        @Override
        public @Nullable Rejection reject(Call call, int index, String handle) {
            if (call.operation() == Operation.CHANGE_VISIBILITY) {
                heartbeats
                        .computeIfAbsent(call.number(), key -> ConcurrentHashMap.newKeySet())
                        .add(handle);
                if (deleted.contains(handle)) {
                    races.add("a heartbeat after the delete of " + handle);
                }
            } else if (call.operation() == Operation.DELETE) {
                deleted.add(handle);
                if (heartbeats.values().stream().anyMatch(handles -> handles.contains(handle))) {
                    races.add("a delete during the heartbeat of " + handle);
                }
            }
            return null;
        }

        @Override
        public void after(Call call) throws InterruptedException {
            if (call.operation() == Operation.CHANGE_VISIBILITY) {
                work(Duration.ofMillis(200));
                heartbeats.remove(call.number());
            }
        }
    }

    @Test
    void fault10AHeartbeatThatIsAnsweredAfterTheLeaseDoesNotHoldItsMessagesForGood() throws Exception {
        Duration lease = Duration.ofSeconds(2);
        Faults firstHeartbeatIsSlow = new Faults() {
            @Override
            public void after(Call call) throws InterruptedException {
                if (call.operation() == Operation.CHANGE_VISIBILITY && call.number() == 1) {
                    work(lease.multipliedBy(2));
                }
            }
        };
        try (TestQueue queue = TestQueue.standard(lease).with(firstHeartbeatIsSlow)) {
            queue.send(5);
            ListenerContainer container = queue.listen(options -> options, batch -> {
                runs.addAll(batch);
                work(lease.multipliedBy(3));
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();
            container.pause();

            eventually(() -> assertThat(container.status().inFlight()).isZero());
        }
    }
}
