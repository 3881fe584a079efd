/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SendResults;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.PatientSender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The send path against a real server over HTTP. */
@Execution(ExecutionMode.CONCURRENT)
class BatchSqsTemplateServerTests {

    private static final int MESSAGES = 930;

    private static final SenderOptions PATIENT = PatientSender.options().build();

    /** A sender whose linger is too long to pass. */
    private static final SenderOptions FULL_BATCHES_ONLY =
            PatientSender.options().linger(Duration.ofSeconds(10)).build();

    private final SendServer server = new SendServer();
    private final SendSeam seam = new SendSeam(server.client);

    record Order(int number, String customer) {}

    @Test
    void sendsAttributesAndDelay() throws Exception {
        Queue queue = server.createQueue();
        try (var template = server.template(PATIENT, seam)) {
            OutgoingMessage message = OutgoingMessage.builder(queue.url(), "text")
                    .attribute("kind", "order")
                    .attribute("weight", 1.5)
                    .attribute("raw", "b".getBytes(StandardCharsets.UTF_8))
                    .groupId("tenant")
                    .build();
            template.sendAndWait(message);
            template.sendAndWait(
                    message.toBuilder().delay(Duration.ofMinutes(15)).build());
            List<ReceivedMessage> received = server.drain(queue);
            assertThat(received).hasSize(1);
            assertThat(received.getFirst().body()).isEqualTo("text");
            assertThat(received.getFirst().attributes())
                    .containsEntry("kind", MessageAttribute.string("order"))
                    .containsEntry("weight", MessageAttribute.number(1.5))
                    .containsEntry("raw", MessageAttribute.binary("b".getBytes(StandardCharsets.UTF_8)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    void sendsAGroupInOrderAndInFullBatches(int groups) throws Exception {
        Queue queue = server.createFifoQueue();
        List<OutgoingMessage> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            messages.add(OutgoingMessage.builder(queue.name(), new Order(i, "c" + i % groups))
                    .groupId("c" + i % groups)
                    .build());
        }
        try (var template = server.template(FULL_BATCHES_ONLY, seam)) {
            SendResults first = template.sendAll(messages);
            assertThat(first.failed()).isEmpty();
            assertThat(seam.sizes()).containsOnly(10);

            SendResults again = template.sendAll(messages);
            assertThat(again.failed()).isEmpty();
            assertThat(ids(again)).isEqualTo(ids(first));
        }
        Map<String, Integer> last = new HashMap<>();
        List<ReceivedMessage> received = server.drain(queue);
        for (ReceivedMessage each : received) {
            int number = numberOf(each.body());
            assertThat(number).isGreaterThan(last.getOrDefault(each.groupId(), -1));
            last.put(each.groupId(), number);
        }
        assertThat(received).hasSize(MESSAGES);
    }

    private static List<String> ids(SendResults results) {
        return results.successful().stream()
                .map(SendResults.Sent::result)
                .sorted(Comparator.comparing(result -> String.valueOf(result.deduplicationId())))
                .map(SendResult::messageId)
                .toList();
    }

    private static int numberOf(String body) {
        return Integer.parseInt(body.replaceAll(".*\"number\":(\\d+).*", "$1"));
    }
}
