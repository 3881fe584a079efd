/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** What a handler can say of its messages, on a real server: each is settled as it was said, and none is lost. */
@Execution(ExecutionMode.CONCURRENT)
class OutcomeServerTests {

    /** How often each message ran. */
    private final Map<String, Integer> runs = new ConcurrentHashMap<>();

    @Test
    void ofAPartiallyFailedBatchOnlyTheFailedMessagesComeAgain() throws Exception {
        try (TestQueue queue = new TestQueue(TestQueue.QUEUES.standard())) {
            queue.send(20);
            queue.listen(options -> options, batch -> {
                List<SqsMessage<String>> failed = batch.messages().stream()
                        .filter(message -> run(message) == 1 && isEven(message.payload()))
                        .toList();
                if (!failed.isEmpty()) {
                    throw PartialBatchException.of(failed, new TestQueue.Refused("even"));
                }
                return BatchOutcome.done();
            });

            queue.eventuallyEmpty();

            assertThat(runs)
                    .hasSize(20)
                    .allSatisfy(
                            (message, times) -> assertThat(times).as(message).isEqualTo(isEven(message) ? 2 : 1));
            assertThat(queue.failures).hasSize(10);
        }
    }

    @Test
    void eachMessageGetsTheOutcomeThatWasSaidOfIt() throws Exception {
        String dead = TestQueue.QUEUES.standard();
        var tenSeconds = Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "10");
        try (TestQueue queue = new TestQueue(TestQueue.QUEUES.withDeadLetters(dead, 5, tenSeconds))) {
            queue.send("done", "retry", "dead", "left");
            queue.listen(options -> options.batchSize(4), batch -> {
                BatchOutcome.Builder outcome = BatchOutcome.perMessage();
                for (SqsMessage<String> message : batch) {
                    int run = run(message);
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

            assertThat(runs).isEqualTo(Map.of("done", 1, "dead", 1, "retry", 2, "left", 2));
            assertThat(TestQueue.QUEUES.receive(dead)).extracting(Message::body).containsExactly("dead");
            assertThat(queue.count("dead.lettered")).isEqualTo(1);
        }
    }

    private int run(SqsMessage<String> message) {
        return runs.merge(message.payload(), 1, Integer::sum);
    }

    private static void sayOnFirst(
            int run,
            BatchOutcome.Builder outcome,
            SqsMessage<String> message,
            UnaryOperator<BatchOutcome.Builder> said) {
        BatchOutcome.Builder same = run == 1 ? said.apply(outcome) : outcome.done(message);
        assertThat(same).isSameAs(outcome);
    }

    private static boolean isEven(String payload) {
        return Integer.parseInt(payload.substring(1)) % 2 == 0;
    }
}
