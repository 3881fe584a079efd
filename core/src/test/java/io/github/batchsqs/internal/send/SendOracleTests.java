/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendFailedException.Delivery;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.FastTime;
import io.github.batchsqs.testkit.InMemoryPayloadStore;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SendingOracle;
import io.github.batchsqs.testkit.SendingOracle.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * The oracle of sends: a server that records what it stores, and random histories of attempts. What the futures say about each
 * message is compared with what the server did. Repeat a history by {@code -Doracle.seed=…}, and run more by {@code -Doracle.histories=…}.
 */
class SendOracleTests {

    private static final int HISTORIES = Integer.getInteger("oracle.histories", 100);
    private static final int AT_ONCE = 48;

    /** The default of ten seconds is two of this machine, whose load may keep a look-up from its thread for longer. */
    private static final Duration MAX_BLOCK = Duration.ofMinutes(4);

    private static final int MESSAGES = 24;

    private static final SendingOracle closing = new SendingOracle(true);
    private static final SendingOracle keeping = new SendingOracle(false);
    private static final List<AutoCloseable> toClose = new ArrayList<>();

    enum Path {
        DIRECT,
        SDK,
        /** A client of an application, which repeats calls by itself. */
        SDK_WITH_RETRIES
    }

    @BeforeAll
    static void start() {
        toClose.add(closing);
        toClose.add(keeping);
    }

    @AfterAll
    static void close() throws Exception {
        for (AutoCloseable each : toClose.reversed()) {
            each.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysOfEachMessageWhatBecameOfIt(Path path) throws Exception {
        List<QueueClient> clients = List.of(client(path, closing), client(path, keeping));
        Long only = Long.getLong("oracle.seed");
        if (only != null) {
            run(path, clients, only);
            return;
        }
        Semaphore running = new Semaphore(AT_ONCE);
        AtomicInteger ended = new AtomicInteger();
        List<Future<?>> histories = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < HISTORIES; i++) {
                long seed = i;
                histories.add(threads.submit(() -> {
                    running.acquire();
                    try {
                        run(path, clients, seed);
                    } finally {
                        running.release();
                        ended.incrementAndGet();
                    }
                    return null;
                }));
            }
            Progress.until(ended::get, HISTORIES);
        }
        for (Future<?> each : histories) {
            each.get();
        }
    }

    private void run(Path path, List<QueueClient> clients, long seed) throws Exception {
        Random random = new Random(seed);
        SendingOracle oracle = seed % 2 == 0 ? closing : keeping;
        boolean fifo = random.nextBoolean();
        String name = path + "-" + seed + (fifo ? ".fifo" : "");
        History history = oracle.history(name, random.nextLong());
        Queue queue = new Queue(name, oracle.endpoint() + "/000000000000/" + name);
        InMemoryPayloadStore store = new InMemoryPayloadStore();
        Map<OutgoingMessage, CompletableFuture<SendResult>> sent = new LinkedHashMap<>();
        try (var template = new BatchSqsTemplate(
                SenderOptions.builder()
                        .deliveryTimeout(Duration.ofMinutes(4))
                        .maxInFlight(1 + random.nextInt(4))
                        .buffer(new SenderOptions.Buffer(1 << 20, MAX_BLOCK))
                        .build(),
                new SenderResources(
                        clients.get((int) (seed % 2)),
                        new Known(queue),
                        new JacksonPayloadCodec(JsonMapper.shared()),
                        any -> SenderEvents.NONE,
                        SendObserver.NONE,
                        SendBinding.NONE,
                        new FastTime(5),
                        store))) {
            for (int i = 0; i < MESSAGES; i++) {
                OutgoingMessage message = message(name, i, fifo, random);
                sent.put(message, template.send(message));
                if (random.nextInt(4) == 0) {
                    Thread.onSpinWait(); // so that batches differ
                }
            }
            CompletableFuture.allOf(sent.values().toArray(CompletableFuture<?>[]::new))
                    .exceptionally(failed -> null)
                    .join();
        }
        history.awaitEnd();
        String told = "path " + path + ", seed " + seed + ", " + history;
        for (Map.Entry<OutgoingMessage, CompletableFuture<SendResult>> each : sent.entrySet()) {
            check(told, path, history, store, each.getKey(), each.getValue());
        }
        assertThat(history.outOfOrder()).as(told).isEmpty();
        oracle.forget(name);
    }

    private static OutgoingMessage message(String queue, int i, boolean fifo, Random random) {
        String content = switch (random.nextInt(24)) {
            case 0 -> "poison";
            case 1 -> "bad";
            case 2, 3 -> "large";
            default -> "text";
        };
        var builder = OutgoingMessage.builder(queue, content + " " + i).attribute("n", content + " " + i);
        if (fifo) {
            builder.groupId("group-" + random.nextInt(3)).deduplicationId("id-" + i);
        }
        return builder.build();
    }

    private static void check(
            String told,
            Path path,
            History history,
            InMemoryPayloadStore store,
            OutgoingMessage message,
            CompletableFuture<SendResult> future)
            throws InterruptedException {
        String content = String.valueOf(message.payload());
        int stored = history.stored(content);
        String about = told + ", " + content + " stored " + stored + " times; attempts " + history.attempts(content);
        assertThat(stored).as(about).isLessThanOrEqualTo(1 + history.lostAfterStoring(content));
        try {
            future.get();
            assertThat(stored).as("said sent: " + about).isPositive();
        } catch (ExecutionException e) {
            SendFailedException failure = (SendFailedException) Objects.requireNonNull(e.getCause());
            String said = "said " + failure.delivery() + " " + failure.code() + ": " + about;
            boolean guilty = content.startsWith("poison") || content.startsWith("bad");
            assertThat(guilty || failure.code().equals(SendFailedException.OUT_OF_ORDER))
                    .as("innocent, " + said)
                    .isTrue();
            if (failure.delivery() != Delivery.UNKNOWN) {
                assertThat(stored).as(said).isZero();
            } else if (path != Path.SDK_WITH_RETRIES) {
                assertThat(history.unclear(content))
                        .as("nothing was unclear, " + said)
                        .isTrue();
            }
        }
        store.objects.forEach((key, payload) -> {
            if (store.discarded.contains(key)) {
                assertThat(history.stored(payload))
                        .as("discarded " + payload + ", " + told)
                        .isZero();
            }
        });
    }

    private static QueueClient client(Path path, SendingOracle oracle) {
        SdkHttpClient http = SendingOracle.http();
        RetryStrategy retries = path == Path.SDK_WITH_RETRIES
                ? AwsRetryStrategy.standardRetryStrategy().toBuilder()
                        .backoffStrategy(BackoffStrategy.retryImmediately())
                        .throttlingBackoffStrategy(BackoffStrategy.retryImmediately())
                        .circuitBreakerEnabled(false)
                        .build()
                : AwsRetryStrategy.doNotRetry();
        SqsClient sqs = SqsClient.builder()
                .endpointOverride(oracle.endpoint())
                .region(Region.US_EAST_1)
                .httpClient(http)
                .checksumValidationEnabled(false) // the server calculates no digests
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
                .overrideConfiguration(override -> override.retryStrategy(retries))
                .build();
        toClose.add(sqs);
        toClose.add(http);
        return path == Path.DIRECT ? new DirectQueueClient(sqs, http) : new AwsQueueClient(sqs);
    }

    private record Known(Queue queue) implements QueueResolver {

        @Override
        public Queue resolve(String nameUrlOrArn) {
            return queue;
        }

        @Override
        public Queue create(String name) {
            return queue;
        }

        @Override
        public QueueAttributes attributes(Queue any) {
            return new QueueAttributes(Duration.ofSeconds(30), null);
        }

        @Override
        public long depth(Queue any) {
            return 0;
        }
    }
}
