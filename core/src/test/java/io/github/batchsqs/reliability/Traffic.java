/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.PatientSender;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import tools.jackson.databind.json.JsonMapper;

/** A template and a listener in one process, both behind a proxy that brings faults; the queue is looked up past it. */
final class Traffic implements AutoCloseable {

    static final Duration READ_TIMEOUT = Duration.ofSeconds(3);
    private static final int MOST_POLLERS = 8;

    /** Deletes by default, and as many changes of visibility. */
    private static final int MOST_SETTLING_CALLS = 32;

    /**
     * What there is when nothing is to be done: the pollers, the few loops of the listener and the template, and the threads
     * that wait for the next call, as many as there may be calls at once.
     */
    static final int MOST_THREADS = MOST_POLLERS + 8 + SenderOptions.defaults().maxInFlight() + 2 * MOST_SETTLING_CALLS;

    private static final Backoff SOON = Backoff.exponential(Duration.ofMillis(20), Duration.ofMillis(500));

    private final ElasticMqServer server = ElasticMqServer.shared();
    private final Queue queue;
    private final FaultProxy proxy;
    private final SdkHttpClient http = ElasticMqServer.newHttpClient(READ_TIMEOUT);
    private final SqsClient sqs;
    final BatchSqsTemplate template;
    final EngineContainer container;

    Traffic(Queue queue, Scenario scenario, BatchListener<String> listener) throws IOException {
        this.queue = queue;
        this.proxy = new FaultProxy(server.endpoint(), scenario);
        this.sqs = client(proxy.endpoint());
        QueueClient client = new DirectQueueClient(sqs, http);
        AwsQueueResolver resolver = new AwsQueueResolver(server.client());
        this.template = new BatchSqsTemplate(
                PatientSender.options().build(),
                SenderResources.of(client, resolver, new JacksonPayloadCodec(JsonMapper.shared())));
        this.container = new EngineContainer(
                ListenerOptions.builder("traffic", queue.name())
                        .waitTime(Duration.ofSeconds(1))
                        .pollers(1, MOST_POLLERS)
                        .concurrency(8)
                        .failure(new ListenerOptions.Failure(
                                SOON, false, List.of(), ListenerOptions.Failure.NO_DEAD_LETTER))
                        .build(),
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                new ListenerResources(client, resolver, ListenerEvents.NONE, TimeSource.system()));
        container.start();
    }

    /** Sends a body, {@code lane:index}. */
    CompletableFuture<?> send(String body) {
        OutgoingMessage.Builder message = OutgoingMessage.builder(queue.name(), body);
        if (queue.fifo()) {
            message.groupId(body.substring(0, body.indexOf(':')));
        }
        return template.send(message.build());
    }

    /** All messages of the queue, by one call past the faults. */
    int size() {
        return server.size(queue);
    }

    @Override
    public void close() throws IOException {
        container.stop();
        template.close();
        sqs.close();
        http.close();
        proxy.close();
    }

    private SqsClient client(URI endpoint) {
        return SqsClient.builder()
                .endpointOverride(endpoint)
                .region(server.region())
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClient(http)
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.standardRetryStrategy()))
                .build();
    }
}
