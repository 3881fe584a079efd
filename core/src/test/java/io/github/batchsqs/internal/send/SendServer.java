/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import tools.jackson.databind.json.JsonMapper;

/** The shared server, as the tests of the send path use it. */
final class SendServer {

    private static final ElasticMqServer SERVER = ElasticMqServer.shared();

    final QueueClient client = SERVER.queueClient();
    final QueueResolver resolver = new AwsQueueResolver(SERVER.client());

    Queue createQueue() {
        return SERVER.createQueue(Map.of());
    }

    Queue createFifoQueue() {
        return SERVER.createFifoQueue(Map.of());
    }

    BatchSqsTemplate template(SenderOptions options, QueueClient through) {
        return template(options, through, SenderEvents.NONE);
    }

    BatchSqsTemplate template(SenderOptions options, QueueClient through, SenderEvents events) {
        return new BatchSqsTemplate(
                options,
                new SenderResources(
                        through,
                        resolver,
                        new JacksonPayloadCodec(JsonMapper.shared()),
                        queue -> events,
                        SendObserver.NONE,
                        SendBinding.NONE,
                        TimeSource.system(),
                        null));
    }

    /**
     * Receives and deletes until the queue is empty, hidden messages included: those of a response that was lost come again.
     * On FIFO the order of each group is that of arrival.
     */
    List<ReceivedMessage> drain(Queue queue) {
        Map<String, ReceivedMessage> all = new LinkedHashMap<>();
        Progress.untilAsserted(() -> {
            receiveAll(queue).forEach(each -> all.putIfAbsent(each.id(), each));
            assertThat(SERVER.size(queue)).isZero();
        });
        return List.copyOf(all.values());
    }

    private List<ReceivedMessage> receiveAll(Queue queue) throws ExecutionException, InterruptedException {
        List<ReceivedMessage> all = new ArrayList<>();
        int pollers = queue.fifo() ? 1 : 4;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<ReceivedMessage>>> polls = new ArrayList<>();
            for (int i = 0; i < pollers; i++) {
                polls.add(threads.submit((Callable<List<ReceivedMessage>>) () -> poll(queue)));
            }
            for (Future<List<ReceivedMessage>> each : polls) {
                all.addAll(Progress.get(each));
            }
        }
        return all;
    }

    private List<ReceivedMessage> poll(Queue queue) throws InterruptedException {
        List<ReceivedMessage> all = new ArrayList<>();
        while (true) {
            List<ReceivedMessage> some =
                    client.receive(new ReceiveCall(queue, 10, Duration.ZERO, Duration.ofSeconds(30), null));
            if (some.isEmpty()) {
                return all;
            }
            all.addAll(some);
            var ignored = client.delete(
                    queue, some.stream().map(ReceivedMessage::receiptHandle).toList());
        }
    }
}
