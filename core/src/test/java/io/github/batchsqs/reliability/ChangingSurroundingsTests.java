/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a listener stands on moves while it runs. */
@Execution(ExecutionMode.CONCURRENT)
class ChangingSurroundingsTests {

    private final List<String> handled = new CopyOnWriteArrayList<>();

    @Test
    void aQueueThatIsDeletedAndMadeAgainIsReadAgain() {
        try (LogCapture log = LogCapture.warnings();
                MemoryListeners listeners = new MemoryListeners()) {
            Queue queue = listeners.sqs.createQueue("made-again");
            listeners.sqs.put(queue, "before");
            EngineContainer container = listeners.listen("made-again", options -> options, BatchListener.of(batch -> {
                handled.addAll(batch.payloads());
            }));
            Progress.until(() -> listeners.sqs.deleted(queue).size() == 1);

            listeners.sqs.deleteQueue(queue);
            Progress.until(() -> container.status().receiveFailure() != null);
            assertThat(Objects.requireNonNull(container.status().receiveFailure())
                            .code())
                    .isEqualTo("QueueDoesNotExist");
            Progress.until(() -> log.events().stream()
                    .anyMatch(line -> line.contains("receiving from made-again fails (QueueDoesNotExist)")));

            listeners.sqs.put(listeners.sqs.createQueue("made-again"), "after");
            Progress.until(() -> handled.contains("after"));
            Progress.until(() -> container.status().receiveFailure() == null);
            assertThat(handled).containsExactly("before", "after");
        }
    }

    /** Leases, backoffs, lingers and deadlines are counted by the monotonic clock; the time of day is for display. */
    @Test
    void jumpsOfTheClockLoseNoLeaseAndRepeatNothing() {
        JumpingClock clock = new JumpingClock();
        List<Boolean> leasesLost = new CopyOnWriteArrayList<>();
        try (MemoryListeners listeners = new MemoryListeners(clock)) {
            Queue queue = listeners.sqs.createQueue("orders");
            listeners.sqs.put(queue, "a", "b", "c", "d");
            listeners.listen("orders", options -> options.concurrency(1).batchSize(1), batch -> {
                SqsMessage<String> message = batch.messages().getFirst();
                handled.add(message.payload());
                clock.jump(handled.size() % 2 == 1 ? Duration.ofDays(400) : Duration.ofDays(-800));
                leasesLost.add(message.leaseLost());
                if (handled.size() == 1) {
                    throw new IllegalStateException("by a test's wish"); // its backoff lies across a jump
                }
                return BatchOutcome.done();
            });

            Progress.until(() -> listeners.sqs.deleted(queue).size() == 4);

            assertThat(handled).hasSize(5).containsOnly("a", "b", "c", "d");
            assertThat(leasesLost).containsOnly(false);
            listeners.containers.stop();
            listeners.sqs.assertDrained(queue);
        }
    }

    /** The machine's time of day is set while the machine goes on. */
    private static final class JumpingClock implements TimeSource {

        private volatile Duration off = Duration.ZERO;

        void jump(Duration by) {
            off = by;
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now().plus(off);
        }
    }
}
