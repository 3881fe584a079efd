/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.TestQueue.eventually;
import static io.github.batchsqs.receive.TestQueue.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Heartbeats that take long, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class HeartbeatFaultTests {

    private final Runs runs = new Runs();

    /** Deletes do not wait for heartbeats: SQS deletes all the same, and the heartbeat's refusal means nothing. */
    @Test
    void aHeartbeatThatMeetsADeleteHarmsNothing() throws Exception {
        Duration timeout = Duration.ofSeconds(24); // long enough for a machine that stalls between heartbeats
        try (TestQueue queue = TestQueue.standard(timeout).with(new SlowHeartbeats())) {
            queue.send(200);
            queue.listen(options -> options.batchSize(4).concurrency(50), batch -> {
                runs.addAll(batch);
                work(timeout.dividedBy(2));
                return BatchOutcome.done();
            });

            eventually(() -> assertThat(queue.events.acknowledged.get()).isEqualTo(200));
            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(200);
            assertThat(queue.events.leasesExtended.get()).isPositive();
            assertThat(queue.events.leasesLost.get()).isZero();
            assertThat(queue.events.unexpected).isEmpty();
        }
    }

    /** Holds heartbeats up a little on both of their ways, so that deletes overtake them. */
    private static final class SlowHeartbeats implements Faults {

        @Override
        public void before(Call call) throws InterruptedException {
            holdUp(call);
        }

        @Override
        public void after(Call call) throws InterruptedException {
            holdUp(call);
        }

        private static void holdUp(Call call) throws InterruptedException {
            if (call.operation() == Operation.CHANGE_VISIBILITY) {
                work(Duration.ofMillis(200));
            }
        }
    }

    @Test
    void aHeartbeatWhoseResponseComesAfterTheLeaseDoesNotHoldItsMessagesForGood() throws Exception {
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
