/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.PatientSender;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.json.JsonMapper;

/** Messages of 1 MiB, the most that SQS takes, from the template to a listener. */
@Tag("reliability") // a cold server takes its time over them
@Execution(ExecutionMode.CONCURRENT)
class LargeMessagesTests {

    private static final int MOST = 1 << 20;

    private final ElasticMqServer server = ElasticMqServer.shared();
    private final Set<String> handled = ConcurrentHashMap.newKeySet();

    @Test
    void messagesOfOneMebibyteArriveWholeAndOneByteMoreIsRefused() throws Exception {
        List<String> bodies =
                IntStream.range(0, 5).mapToObj(i -> i + "x".repeat(MOST - 1)).toList();
        try (TestQueue queue = new TestQueue(TestQueue.QUEUES.standard());
                BatchSqsTemplate template = new BatchSqsTemplate(
                        PatientSender.options().build(),
                        SenderResources.of(
                                server.queueClient(),
                                new AwsQueueResolver(server.client()),
                                new JacksonPayloadCodec(JsonMapper.shared())))) {
            assertThat(template.sendAll(queue.name(), bodies).failed()).isEmpty();
            assertThatThrownBy(() -> template.sendAndWait(queue.name(), "x".repeat(MOST + 1)))
                    .isInstanceOfSatisfying(
                            SendFailedException.class,
                            failure -> assertThat(failure.code()).isEqualTo(SendFailedException.INVALID_MESSAGE));

            queue.listen(options -> options, BatchListener.of(batch -> handled.addAll(batch.payloads())));

            queue.eventuallyEmpty();
            assertThat(handled).containsExactlyInAnyOrderElementsOf(bodies);
        }
    }
}
