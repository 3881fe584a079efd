/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a handler can say of its messages, on a real server: each is settled as it was said, and none is lost. */
@Execution(ExecutionMode.CONCURRENT)
class OutcomeServerTests {

    private final Runs runs = new Runs();

    @Test
    void ofAPartiallyFailedBatchOnlyTheFailedMessagesComeAgain() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            queue.send(20);
            queue.listen(options -> options, batch -> {
                List<SqsMessage<String>> failed = batch.messages().stream()
                        .filter(message -> runs.add(message) == 1 && isEven(message))
                        .toList();
                if (!failed.isEmpty()) {
                    throw PartialBatchException.of(failed, new TestQueue.Refused("even"));
                }
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();

            assertEvenRanTwiceAndOddOnce(20);
            assertThat(queue.failures).hasSize(10);
        }
    }

    @Test
    void eachMessageGetsTheOutcomeThatWasSaidOfIt() throws Exception {
        try (TestQueue queue = TestQueue.standardWithDeadLetters(Duration.ofSeconds(10), 5)) {
            queue.send("done", "retry", "dead", "left");
            queue.listen(options -> options.batchSize(4), batch -> {
                BatchOutcome.Builder outcome = BatchOutcome.perMessage();
                for (SqsMessage<String> message : batch) {
                    int run = runs.add(message);
                    switch (message.payload()) {
                        case "dead" -> outcome.deadLetter(message, new IllegalArgumentException("no such order"));
                        case "retry" -> sayOnFirst(run, outcome, message, o -> o.retry(message, Duration.ofSeconds(1)));
                        case "left" -> sayOnFirst(run, outcome, message, o -> o.leave(message));
                        default -> outcome.done(message);
                    }
                }
                return outcome.build();
            });

            queue.eventuallyEmpty();

            assertThat(runs.of("done")).isEqualTo(1);
            assertThat(runs.of("dead")).isEqualTo(1);
            assertThat(runs.of("retry")).isEqualTo(2);
            assertThat(runs.of("left")).isEqualTo(2);
            assertThat(queue.deadLetters(1).getFirst().body()).isEqualTo("dead");
            assertThat(queue.events.deadLettered.get()).isEqualTo(1);
        }
    }

    private void assertEvenRanTwiceAndOddOnce(int messages) {
        for (int i = 0; i < messages; i++) {
            assertThat(runs.of("m" + i)).as("runs of m%s", i).isEqualTo(i % 2 == 0 ? 2 : 1);
        }
    }

    private static void sayOnFirst(
            int run,
            BatchOutcome.Builder outcome,
            SqsMessage<String> message,
            UnaryOperator<BatchOutcome.Builder> said) {
        BatchOutcome.Builder same = run == 1 ? said.apply(outcome) : outcome.done(message);
        assertThat(same).isSameAs(outcome);
    }

    private static boolean isEven(SqsMessage<String> message) {
        return Integer.parseInt(message.payload().substring(1)) % 2 == 0;
    }
}
