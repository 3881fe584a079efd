/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.Relay;
import io.github.batchsqs.testkit.StubSqs.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import tools.jackson.databind.json.JsonMapper;

/**
 * A call is denied, or the credentials expire: the log or the error says what to do, everything goes on when it is done, and
 * nothing is lost.
 */
@Execution(ExecutionMode.CONCURRENT)
class RefusedCallsTests {

    private final ElasticMqServer server = ElasticMqServer.shared();
    private final LogCapture log = LogCapture.warnings();
    private final Relay relay = new Relay();
    private final SqsClient sqs = relay.newClient();
    private final List<EngineContainer> containers = new ArrayList<>();
    private final List<String> handled = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        relay.relent();
        containers.forEach(EngineContainer::stop);
        sqs.close();
        relay.close();
        log.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GetQueueUrl", "GetQueueAttributes"})
    void aDeniedLookupFailsTheStartAndTheNextOneWorks(String operation) throws Exception {
        Queue queue = server.createQueue(visibility(30));
        EngineContainer container = container(queue);
        relay.refuse(403, "AccessDenied", operation);

        assertThatThrownBy(container::start)
                .hasMessageContaining("'" + queue.name() + "'")
                .hasMessageContaining("Allow the credentials the action sqs:" + operation + " on the queue");
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);

        relay.relent();
        container.start();
        send(queue, "a");
        Progress.until(() -> server.size(queue), 0);
        assertThat(handled).containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource({
        "403, AccessDenied, Allow the credentials the action sqs:ReceiveMessage on the queue",
        "403, ExpiredToken, Check that the credentials provider refreshes its session credentials",
        "400, OverLimit, 'About 120,000 messages of the queue are in flight'",
        "403, InvalidClientTokenId, 'Check the access key, the secret and the region of the credentials'"
    })
    void aRefusedReceiveIsTriedAgain(int status, String code, String remedy) throws Exception {
        Queue queue = server.createQueue(visibility(30));
        relay.refuse(status, code, "ReceiveMessage");
        EngineContainer container = container(queue);
        container.start();
        send(queue, "a");

        awaitLog(queue, remedy);
        assertThat(handled).isEmpty();

        relay.relent();
        Progress.until(() -> server.size(queue), 0);
        assertThat(handled).containsExactly("a");
        Progress.until(() -> container.status().receiveFailure() == null);
    }

    @Test
    void whenCredentialsExpireEverythingWaitsForThoseThatReplaceThem() throws Exception {
        Queue queue = server.createQueue(visibility(30));
        AtomicReference<String> key = new AtomicReference<>("first");
        relay.refuse(request -> request.accessKey().equals("first") ? null : Response.error(403, "ExpiredToken"));
        try (SqsClient rotating = ElasticMqServer.newClient(
                        relay.endpoint(), server.region(), () -> AwsBasicCredentials.create(key.get(), "secret"));
                BatchSqsTemplate template = template(rotating)) {
            EngineContainer container = container(rotating, queue);
            container.start();
            template.sendAndWait(queue.name(), "before");
            Progress.until(() -> server.size(queue), 0);

            relay.refuse(request -> request.accessKey().equals("second") ? null : Response.error(403, "ExpiredToken"));
            CompletableFuture<SendResult> meanwhile = template.send(queue.name(), "meanwhile");
            awaitLog(queue, "Check that the credentials provider refreshes its session credentials");
            assertThat(meanwhile).isNotDone();

            key.set("second");
            assertThat(Progress.get(meanwhile).messageId()).isNotEmpty();
            Progress.until(() -> server.size(queue), 0);
            container.stop();
        }
        assertThat(handled).containsExactly("before", "meanwhile");
    }

    private BatchOutcome collect(MessageBatch<String> batch) {
        handled.addAll(batch.payloads());
        return BatchOutcome.done();
    }

    private void awaitLog(Queue queue, String words) {
        Progress.until(
                () -> log.events().stream().anyMatch(line -> line.contains(queue.name()) && line.contains(words)));
    }

    private EngineContainer container(Queue queue) {
        return container(sqs, queue);
    }

    private EngineContainer container(SqsClient client, Queue queue) {
        EngineContainer container = new EngineContainer(
                ListenerOptions.builder("of-" + queue.name(), queue.name())
                        .waitTime(Duration.ofSeconds(1))
                        .build(),
                new ListenerHandler<>(ReceivedMessage::body, this::collect, List.of(), ErrorHook.NONE),
                new ListenerResources(
                        ElasticMqServer.newQueueClient(client),
                        new AwsQueueResolver(client),
                        ListenerEvents.NONE,
                        TimeSource.system()));
        containers.add(container);
        return container;
    }

    private static BatchSqsTemplate template(SqsClient client) {
        return new BatchSqsTemplate(
                PatientSender.options().build(),
                SenderResources.of(
                        ElasticMqServer.newQueueClient(client),
                        new AwsQueueResolver(client),
                        new JacksonPayloadCodec(JsonMapper.shared())));
    }

    /** Past the refusals. */
    private void send(Queue queue, String body) {
        server.client().sendMessage(request -> request.queueUrl(queue.url()).messageBody(body));
    }

    private static Map<QueueAttributeName, String> visibility(int seconds) {
        return Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, Integer.toString(seconds));
    }
}
