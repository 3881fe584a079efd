/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.http.PooledHttpClient;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.ConnectionServer;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Connections that fall silent, without a reset, under a listener with the defaults and twenty messages a second. A proxy swallows
 * bytes, as a firewall does that has lost its state. It says how long something takes, so it runs in the full form alone.
 */
@Tag("reliability")
@EnabledIfSystemProperty(named = "reliability.full", matches = "true")
@Execution(ExecutionMode.CONCURRENT)
class SilenceTests {

    private static final int PER_SECOND = 20;
    private static final Duration STALL = Duration.ofSeconds(30);

    private final ElasticMqServer server = ElasticMqServer.shared();
    private final Queue queue = server.createQueue(Map.of());
    private final AtomicInteger sent = new AtomicInteger();
    private final Set<String> handled = ConcurrentHashMap.newKeySet();

    private volatile boolean silent;
    private volatile boolean stalls;
    private final AtomicInteger epoch = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(ints = {10, 25, 31, 45, 75})
    void receivesWithinSixSecondsAfterASilence(int seconds) throws Exception {
        run(() -> {
            Progress.until(() -> handled.size() >= 3 * PER_SECOND, true);
            silent = true;
            epoch.incrementAndGet(); // what is open now stays silent for ever
            pause(Duration.ofSeconds(seconds));
            Set<String> before = Set.copyOf(handled);
            silent = false;
            long back = System.nanoTime();
            Progress.until(() -> handled.size() > before.size(), true);
            assertThat(Duration.ofNanos(System.nanoTime() - back))
                    .as("to the next receive")
                    .isLessThan(Duration.ofSeconds(6));
        });
    }

    @Test
    void handlesFourFifthsWhileOneResponseInTenStalls() throws Exception {
        run(() -> {
            Progress.until(() -> handled.size() >= 3 * PER_SECOND, true);
            int sentBefore = sent.get();
            int handledBefore = handled.size();
            stalls = true;
            pause(STALL.multipliedBy(2));
            assertThat((double) (handled.size() - handledBefore) / (sent.get() - sentBefore))
                    .as("handled of what was sent")
                    .isGreaterThanOrEqualTo(0.8);
        });
    }

    private interface Scene {
        void play() throws Exception;
    }

    private void run(Scene scene) throws Exception {
        try (ConnectionServer proxy = new ConnectionServer(this::relay);
                SdkHttpClient http = new PooledHttpClient(HttpClientOptions.defaults(), Duration.ofSeconds(30));
                SqsClient sqs = SqsClient.builder()
                        .endpointOverride(URI.create("http://127.0.0.1:" + proxy.port()))
                        .region(server.region())
                        .credentialsProvider(
                                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                        .httpClient(http)
                        .build();
                BatchSqsTemplate template = new BatchSqsTemplate(
                        SenderOptions.defaults(),
                        SenderResources.of(
                                server.queueClient(),
                                new AwsQueueResolver(server.client()),
                                new JacksonPayloadCodec(JsonMapper.shared())))) {
            BatchListener<String> listener = BatchListener.of(batch -> handled.addAll(batch.payloads()));
            EngineContainer container = new EngineContainer(
                    ListenerOptions.builder("silence", queue.name()).build(),
                    new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                    new ListenerResources(
                            new DirectQueueClient(sqs, http),
                            new AwsQueueResolver(server.client()),
                            ListenerEvents.NONE,
                            TimeSource.system()));
            container.start();
            Thread producer = Thread.ofPlatform().start(() -> produce(template));
            try {
                scene.play();
            } finally {
                producer.interrupt();
                producer.join();
                container.stop();
            }
        }
    }

    /** Past the proxy: who sends is somewhere else. */
    private void produce(BatchSqsTemplate template) {
        while (!Thread.interrupted()) {
            var unused = template.send(queue.name(), "m" + sent.getAndIncrement());
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1) / PER_SECOND);
        }
    }

    private static void pause(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    // ---- the proxy

    private void relay(Socket client) throws IOException {
        int born = epoch.get();
        boolean bornSilent = silent;
        try (Socket upstream =
                new Socket(server.endpoint().getHost(), server.endpoint().getPort())) {
            Thread unused = Thread.ofVirtual().start(() -> pump(upstream, client, born, bornSilent, true));
            pump(client, upstream, born, bornSilent, false);
        }
    }

    private void pump(Socket from, Socket to, int born, boolean bornSilent, boolean responses) {
        Random random = new Random(born + sent.get());
        byte[] bytes = new byte[65_536];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (responses && stalls && random.nextInt(10) == 0) {
                    pause(STALL);
                }
                if (!bornSilent && born == epoch.get()) {
                    out.write(bytes, 0, read);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One of the two has closed
        }
    }
}
