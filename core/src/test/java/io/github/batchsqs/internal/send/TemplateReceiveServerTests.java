/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The template receives from a real server over HTTP, with direct calls and with those of the SDK. */
@Execution(ExecutionMode.CONCURRENT)
class TemplateReceiveServerTests {

    private static final SenderOptions PATIENT = PatientSender.options().build();

    /** A receive ends before, when there is a message. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SendServer server = new SendServer();

    record Order(int number) {}

    enum Way {
        DIRECT,
        SDK
    }

    private BatchSqsTemplate template(Way way) {
        QueueClient client = way == Way.DIRECT
                ? server.client
                : new AwsQueueClient(ElasticMqServer.shared().client());
        return server.template(PATIENT, client);
    }

    private static <T> ReceiveRequest<T> request(Queue queue, Class<T> type) {
        return ReceiveRequest.of(queue.name(), type).waitTime(PATIENCE);
    }

    private static <T> List<T> receiveAll(BatchSqsTemplate template, Queue queue, Class<T> type, int number)
            throws Exception {
        List<T> received = new ArrayList<>();
        while (received.size() < number) {
            var some = template.receive(request(queue, type));
            received.addAll(some.payloads());
            Progress.get(some.acknowledge());
        }
        return received;
    }

    @ParameterizedTest
    @EnumSource
    void receivesAndDeletesLists(Way way) throws Exception {
        Queue queue = server.createQueue();
        List<Order> orders = IntStream.range(0, 35).mapToObj(Order::new).toList();
        try (var template = template(way)) {
            template.sendAll(queue.name(), orders);

            assertThat(receiveAll(template, queue, Order.class, orders.size()))
                    .containsExactlyInAnyOrderElementsOf(orders);
            assertThat(ElasticMqServer.shared().size(queue)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void receivesAGroupInOrder(Way way) throws Exception {
        Queue queue = server.createFifoQueue();
        List<String> bodies =
                IntStream.range(0, 30).mapToObj(each -> "m" + each).toList();
        try (var template = template(way)) {
            template.sendAll(bodies.stream()
                    .map(body -> OutgoingMessage.builder(queue.name(), body)
                            .groupId("g")
                            .build())
                    .toList());
            assertThat(receiveAll(template, queue, String.class, bodies.size())).isEqualTo(bodies);
        }
    }
}
