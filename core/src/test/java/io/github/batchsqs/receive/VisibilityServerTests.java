/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Handlers that change the visibility of their messages, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class VisibilityServerTests {

    private final Runs runs = new Runs();
    private final BlockingQueue<MessageBatch<String>> batches = new LinkedBlockingQueue<>();

    private static ListenerOptions.Builder neverByItself(ListenerOptions.Builder options) {
        Duration never = Duration.ofHours(11);
        return options.failure(new ListenerOptions.Failure(
                new Backoff(never, 1, never, false), false, List.of(), ListenerOptions.Failure.NO_DEAD_LETTER));
    }

    @Test
    void aFailedMessageIsDeliveredAgainAtTheTimeOfTheHandler() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            queue.send("a");
            queue.listen(VisibilityServerTests::neverByItself, batch -> {
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

    @Test
    void aLongerTimeIsAcceptedBySqs() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            queue.send("a", "b");
            queue.listen(options -> options, batch -> {
                for (var message : batch) {
                    batch.visibility()
                            .changeTo(List.of(message), Duration.ofMinutes(2))
                            .join();
                }
                batches.add(batch);
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();

            var batch = Progress.take(batches);
            assertThat(batch.messages()).noneMatch(message -> message.leaseLost());
            assertThat(batch.visibility().changeTo(Duration.ofMinutes(1))).isCompletedExceptionally();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> batch.visibility().changeTo(Duration.ofSeconds(-1)))
                    .withMessageStartingWith("timeout must not be negative, but is PT-1S");
        }
    }
}
