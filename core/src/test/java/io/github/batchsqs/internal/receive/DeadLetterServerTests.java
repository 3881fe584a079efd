/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.client.SendEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.model.Message;

/** The way into the dead-letter queue, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class DeadLetterServerTests {

    @Test
    void aPayloadThatCannotBeConvertedGoesToTheQueuesOwnDeadLetterQueueAndSaysWhy() throws Exception {
        try (TestQueue queue = TestQueue.standardWithDeadLetters(Duration.ofSeconds(30), 5)) {
            queue.send(List.of(
                    new SendEntry("1", Map.of(), null, null, null),
                    new SendEntry("two", Map.of("trace", MessageAttribute.string("t-1")), null, null, null),
                    new SendEntry("3", Map.of(), null, null, null)));
            queue.container(
                            options -> options,
                            message -> Integer.valueOf(message.body()),
                            BatchListener.of(batch -> assertThat(batch.payloads())
                                    .isNotEmpty()
                                    .allMatch(number -> number == 1 || number == 3)))
                    .start();

            queue.eventuallyEmpty();

            Message dead = queue.deadLetters(1).getFirst();
            assertThat(dead.body()).isEqualTo("two");
            assertThat(text(dead, "trace")).isEqualTo("t-1");
            assertThat(text(dead, "BatchSqsErrorClass")).isEqualTo(NumberFormatException.class.getName());
            assertThat(text(dead, "BatchSqsErrorMessage")).contains("two");
            assertThat(text(dead, "BatchSqsSourceQueue"))
                    .isEqualTo(queue.queue().name());
            assertThat(text(dead, "BatchSqsReceiveCount")).isEqualTo("1");
            assertThat(queue.failures).containsOnlyKeys("two");
            assertThat(queue.events.conversionFailures.get()).isEqualTo(1);
            assertThat(queue.events.deadLettered.get()).isEqualTo(1);
        }
    }

    private static String text(Message message, String attribute) {
        return Objects.requireNonNull(message.messageAttributes().get(attribute))
                .stringValue();
    }
}
