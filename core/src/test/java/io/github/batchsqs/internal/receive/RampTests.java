/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From one parked receive to full speed, round trip by round trip: every call is answered when the test ends the round. */
class RampTests {

    private static final Duration ROUND_TRIP = Duration.ofMillis(170);

    private final SettableTime time = new SettableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(time);
    private final Queue queue = client.createQueue("orders");
    private final Rounds rounds = new Rounds();
    private final EngineContainer container = new EngineContainer(
            ListenerOptions.builder("orders-listener", "orders").build(),
            new ListenerHandler<>(ReceivedMessage::body, BatchListener.of(batch -> {}), List.of(), ErrorHook.NONE),
            new ListenerResources(client, client, ListenerEvents.NONE, time));

    @AfterEach
    void stop() {
        client.faults(Faults.NONE);
        rounds.over();
        container.stop();
        client.assertNothingLost();
        client.assertNoMisuse();
    }

    @Test
    void receivesDoubleWithEveryRoundTripUpToTheMost() throws Exception {
        client.put(queue, IntStream.range(0, 2_000).mapToObj(i -> "m" + i).toArray(String[]::new));
        client.faults(rounds);
        container.start();
        List<Integer> receives = new ArrayList<>();
        int before = 0;
        for (int round = 0; round < 7; round++) {
            // Full answers become full deletes, so this is all that is under way.
            rounds.awaitOpen(Operation.DELETE, before);
            before = rounds.awaitOpen(Operation.RECEIVE, Math.clamp(2L * before, 1, 32));
            receives.add(before);
            rounds.end();
        }
        assertThat(receives).containsExactly(1, 2, 4, 8, 16, 32, 32);
    }

    /** Holds back the answers of receives and deletes until the round ends. */
    private final class Rounds implements Faults {

        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private int round;
        private int receives;
        private int deletes;
        private boolean over;

        @Override
        public void after(Call call) throws InterruptedException {
            if (call.operation() != Operation.RECEIVE && call.operation() != Operation.DELETE) {
                return;
            }
            lock.lockInterruptibly();
            try {
                receives += call.operation() == Operation.RECEIVE ? 1 : 0;
                deletes += call.operation() == Operation.DELETE ? 1 : 0;
                changed.signalAll();
                for (int mine = round; mine == round && !over; ) {
                    changed.await();
                }
            } finally {
                lock.unlock();
            }
        }

        /** Waits until so many calls are open; returns how many there are, fewer if no more came for long. */
        int awaitOpen(Operation operation, int wanted) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                long left = TimeUnit.MINUTES.toNanos(1);
                while (open(operation) < wanted && left > 0) {
                    left = changed.awaitNanos(left);
                }
                return open(operation);
            } finally {
                lock.unlock();
            }
        }

        private int open(Operation operation) {
            return operation == Operation.RECEIVE ? receives : deletes;
        }

        /** A round trip has passed: all open calls are answered. */
        void end() {
            time.advance(ROUND_TRIP);
            lock.lock();
            try {
                round++;
                receives = 0;
                deletes = 0;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** Answers are held back no more. */
        void over() {
            lock.lock();
            try {
                over = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
