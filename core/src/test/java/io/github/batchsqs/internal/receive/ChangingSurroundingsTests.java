/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
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
class ChangingSurroundingsTests extends ContainerFixture {

    @Test
    void aQueueThatIsDeletedAndMadeAgainIsReadAgain() {
        try (LogCapture log = LogCapture.warnings()) {
            Queue made = client.createQueue("made-again");
            client.put(made, "before");
            EngineContainer container = started(collect, options -> options.queue("made-again"));
            Progress.until(() -> client.deleted(made).size() == 1);

            client.deleteQueue(made);
            Progress.until(() -> container.status().receiveFailure() != null);
            assertThat(Objects.requireNonNull(container.status().receiveFailure())
                            .code())
                    .isEqualTo("QueueDoesNotExist");
            Progress.until(() -> log.events().stream()
                    .anyMatch(line -> line.contains("receiving from made-again fails (QueueDoesNotExist)")));

            client.put(client.createQueue("made-again"), "after");
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
        client.put(queue, "a", "b", "c", "d");
        EngineContainer container = started(
                batch -> {
                    SqsMessage<String> message = batch.messages().getFirst();
                    handled.add(message.payload());
                    clock.jump(handled.size() % 2 == 1 ? Duration.ofDays(400) : Duration.ofDays(-800));
                    leasesLost.add(message.leaseLost());
                    if (handled.size() == 1) {
                        throw new IllegalStateException("by a test's wish"); // its backoff lies across a jump
                    }
                    return BatchOutcome.done();
                },
                options -> options.concurrency(1).batchSize(1),
                clock);

        Progress.until(() -> client.deleted(queue).size() == 4);

        assertThat(handled).hasSize(5).containsOnly("a", "b", "c", "d");
        assertThat(leasesLost).containsOnly(false);
        container.stop();
        client.assertDrained(queue);
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
