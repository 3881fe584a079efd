/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.QueueClientTests;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.internal.sdk.Digests;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.ScriptedHttpServer;
import io.github.batchsqs.testkit.ScriptedHttpServer.Response;
import io.github.batchsqs.testkit.StubSqs;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.ResolveIdentityRequest;
import software.amazon.awssdk.metrics.LoggingMetricPublisher;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;
import software.amazon.awssdk.services.sqs.auth.scheme.SqsAuthSchemeProvider;
import software.amazon.awssdk.services.sqs.endpoints.SqsEndpointProvider;
import software.amazon.awssdk.services.sqs.model.Message;

class DirectQueueClientTests extends QueueClientTests {

    private static final SendEntry A = new SendEntry("a", Map.of(), null, null, null, null);

    private final SdkHttpClient http =
            Apache5HttpClient.builder().socketTimeout(Duration.ofSeconds(30)).build();
    private final StubSqs stub = new StubSqs();
    private final Queue queue = new Queue("orders", stub.endpoint() + "/000000000000/orders");
    private final List<SqsClient> opened = new ArrayList<>();

    @Override
    protected QueueClient client(SqsClient sqs) {
        return new DirectQueueClient(sqs, http);
    }

    @AfterEach
    void close() {
        opened.forEach(SqsClient::close);
        http.close();
        stub.close();
    }

    @Test
    void doesNotRepeatACallOfAClosedClient() {
        QueueClient client = client(sqs(override -> {}));
        http.close();
        QueueCallException failure =
                catchThrowableOfType(QueueCallException.class, () -> client.delete(queue, List.of("h")));
        assertThat(failure.retryable()).isFalse();
        assertThat(failure.code()).isEqualTo("ClientClosed");
    }

    @ParameterizedTest
    @ValueSource(ints = {503, 0})
    void makesOneAttempt(int status) {
        stub.respond(request -> new StubSqs.Response(status, "{\"__type\":\"ServiceUnavailable\"}", ""));
        QueueCallException failure = catchThrowableOfType(
                QueueCallException.class, () -> client(sqs(override -> {})).delete(queue, List.of("h")));
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.mayHaveBeenAccepted()).isTrue();
        assertThat(stub.requests()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "Retry-After: 2, 2",
        "Retry-After: 3600, 20",
        "x-amz-retry-after: 3000, 3",
        "Retry-After: soon, 0",
        "X: 1, 0"
    })
    void reportsTheDelayThatTheServerAsksFor(String header, int seconds) throws Exception {
        try (ScriptedHttpServer server = new ScriptedHttpServer(
                request -> Response.of(503, List.of(header), "{\"__type\":\"ServiceUnavailable\"}".getBytes(UTF_8)))) {
            for (QueueClient client : List.of(
                    new DirectQueueClient(sqs(server.endpoint(), override -> {}), http),
                    new AwsQueueClient(sqs(server.endpoint(), override -> {})))) {
                assertThat(catchThrowableOfType(QueueCallException.class, () -> client.delete(queue, List.of("h")))
                                .retryAfter())
                        .isEqualTo(Duration.ofSeconds(seconds));
            }
        }
    }

    @Test
    void knowsThatNothingWasSentWithoutAConnection() throws Exception {
        URI nobody = stub.endpoint();
        stub.close();
        QueueCallException failure = catchThrowableOfType(
                QueueCallException.class,
                () -> client(sqs(nobody, override -> {})).delete(queue, List.of("h")));
        assertThat(failure.code()).isEqualTo("ConnectionFailed");
        assertThat(failure.refused()).isFalse();
        assertThat(failure.mayHaveBeenAccepted()).isFalse();
    }

    @Test
    void signsTheSecondAttemptWithTheTimeOfTheServer() throws Exception {
        Instant server = Instant.parse("2020-11-22T12:00:00Z");
        String date = "Date: " + DateTimeFormatter.RFC_1123_DATE_TIME.format(server.atOffset(ZoneOffset.UTC));
        List<String> signed = new CopyOnWriteArrayList<>();
        for (String code : List.of("SignatureDoesNotMatch", "InvalidSignatureException", "RequestExpired")) {
            signed.clear();
            try (ScriptedHttpServer skewed = new ScriptedHttpServer(request -> {
                signed.add(request.headers().get("x-amz-date"));
                return signed.size() == 1
                        ? Response.of(403, List.of(date), ("{\"__type\":\"" + code + "\"}").getBytes(UTF_8))
                        : Response.of(200, List.of(), "{\"Successful\":[{\"Id\":\"0\"}]}".getBytes(UTF_8));
            })) {
                DirectQueueClient client = new DirectQueueClient(
                        sqs(skewed.endpoint(), override -> {}), http, () -> server.plusSeconds(600));
                assertThatThrownBy(() -> client.delete(queue, List.of("h")))
                        .isInstanceOfSatisfying(
                                QueueCallException.class,
                                e -> assertThat(e.retryable()).isTrue());
                client.delete(queue, List.of("h"));
                client.delete(queue, List.of("h"));
            }
            assertThat(signed).containsExactly("20201122T121000Z", "20201122T120000Z", "20201122T120000Z");
        }
    }

    @Test
    void namesTheClockWhenItCannotBeCorrected() throws Exception {
        String body =
                "{\"__type\":\"SignatureDoesNotMatch\",\"message\":\"Signature expired: 1 is now earlier than 2\"}";
        try (ScriptedHttpServer server =
                new ScriptedHttpServer(request -> Response.of(403, List.of("X: no date"), body.getBytes(UTF_8)))) {
            for (QueueClient client : List.of(
                    new DirectQueueClient(sqs(server.endpoint(), override -> {}), http),
                    new AwsQueueClient(sqs(server.endpoint(), override -> {})))) {
                QueueCallException failure =
                        catchThrowableOfType(QueueCallException.class, () -> client.delete(queue, List.of("h")));
                assertThat(failure).hasMessageContaining("Check the clock of this machine");
                assertThat(failure.retryable()).isTrue();
            }
        }
    }

    @Test
    void namesKeysAndRegionWhenTheClockIsRight() throws Exception {
        stub.respond(request -> StubSqs.Response.error(403, "SignatureDoesNotMatch"));
        QueueCallException failure = catchThrowableOfType(
                QueueCallException.class,
                () -> new DirectQueueClient(sqs(override -> {}), http).delete(queue, List.of("h")));
        assertThat(failure).hasMessageContaining("Check the access key").hasMessageNotContaining("clock");
        assertThat(failure.retryable()).isFalse();
    }

    @Test
    void givesTheConnectionBackWhateverLengthAResponseClaims() throws Exception {
        for (long length : List.of(1L, 200L, 1L << 31, 5_000_000_000L, Long.MAX_VALUE)) {
            try (ScriptedHttpServer server = new ScriptedHttpServer(request ->
                            Response.claiming(500, List.of(), length, "{\"__type\":\"x\"}".getBytes(UTF_8)));
                    SdkHttpClient one = Apache5HttpClient.builder()
                            .maxConnections(1)
                            .connectionAcquisitionTimeout(Duration.ofSeconds(30))
                            .build()) {
                DirectQueueClient client = new DirectQueueClient(sqs(server.endpoint(), override -> {}), one);
                for (int i = 0; i < 2; i++) {
                    QueueCallException failure =
                            catchThrowableOfType(QueueCallException.class, () -> client.delete(queue, List.of("h")));
                    assertThat(failure).as("a response of %s bytes", length).hasMessageContaining("HTTP 500");
                }
            }
        }
    }

    @Test
    void endsAWaitForCredentialsWhenItsThreadIsInterrupted() throws Exception {
        CompletableFuture<Thread> asked = new CompletableFuture<>();
        SqsClient sqs = withCredentials(() -> {
            asked.complete(Thread.currentThread());
            return new CompletableFuture<>();
        });
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread caller = Thread.startVirtualThread(() ->
                ended.complete(catchThrowable(() -> client(sqs).delete(queue, List.of("h")))));
        Progress.get(asked);
        caller.interrupt();
        assertThat(Progress.get(ended)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void doesNotWaitForCredentialsOfAProviderThatBlocks() {
        CompletableFuture<Void> blocked = new CompletableFuture<>();
        SqsClient sqs = withCredentials(() -> {
            blocked.join();
            return new CompletableFuture<>();
        });
        CurrentCredentials credentials =
                new CurrentCredentials(sqs.serviceClientConfiguration().credentialsProvider());
        assertThatThrownBy(() -> credentials.current(Duration.ofMillis(1)))
                .isInstanceOf(SdkClientException.class)
                .hasMessageContaining("gave no credentials within 1ms");
        blocked.complete(null);
    }

    @Test
    void leavesClientsThatRepeatTheirCallsToTheSdk() {
        SqsClient sqs = sqs(override -> override.retryStrategy(AwsRetryStrategy.standardRetryStrategy()));
        assertThat(DirectQueueClient.obstacle(sqs))
                .hasValueSatisfying(found -> assertThat(found).contains("the retry strategy"));
    }

    @Test
    void leavesCustomPartsToTheSdk() {
        SqsClient plain = sqs(override -> {});
        SqsClient wrapped = (SqsClient) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SqsClient.class},
                (proxy, method, arguments) -> method.invoke(plain, arguments));
        assertThat(DirectQueueClient.obstacle(wrapped))
                .hasValueSatisfying(found -> assertThat(found).contains("the SqsClient"));
        assertThat(DirectQueueClient.obstacle(built(builder -> builder.endpointProvider(
                        parameters -> SqsEndpointProvider.defaultProvider().resolveEndpoint(parameters)))))
                .hasValueSatisfying(found -> assertThat(found).contains("the endpoint provider"));
        assertThat(DirectQueueClient.obstacle(built(builder -> builder.authSchemeProvider(
                        parameters -> SqsAuthSchemeProvider.defaultProvider().resolveAuthScheme(parameters)))))
                .hasValueSatisfying(found -> assertThat(found).contains("the auth scheme provider"));
        assertThat(DirectQueueClient.obstacle(
                        sqs(override -> override.putExecutionAttribute(new ExecutionAttribute<>("OfATest"), "value"))))
                .contains("execution attributes");
    }

    @Test
    void mayRepeatAnEntryWhoseResponseHasAnUnknownId() throws Exception {
        stub.respond(request -> StubSqs.Response.ok(
                "{\"Successful\":[{\"Id\":\"7\",\"MessageId\":\"m\",\"MD5OfMessageBody\":\"0\"}]}"));
        assertThat(client(sqs(override -> {})).send(queue, List.of(A)))
                .singleElement()
                .isInstanceOfSatisfying(EntryResult.Rejected.class, missing -> {
                    assertThat(missing.code()).isEqualTo("MissingInResponse");
                    assertThat(missing.retryable()).isTrue();
                    assertThat(missing.mayHaveBeenAccepted()).isTrue();
                });
    }

    @Test
    void failsOnlyTheEntryOfASendWhoseDigestIsWrongAndDoesNotRepeatTheCall() throws Exception {
        String right = Digests.ofBody("a");
        stub.respond(request -> StubSqs.Response.ok("""
                {"Successful":[{"Id":"0","MessageId":"m0","MD5OfMessageBody":"%s"},
                               {"Id":"1","MessageId":"m1","MD5OfMessageBody":"0"},
                               {"Id":"2","MessageId":"m2","MD5OfMessageBody":"%s","MD5OfMessageAttributes":"0"}]}""".formatted(right, right)));
        SendEntry withAttribute =
                new SendEntry("a", Map.of("k", MessageAttribute.string("v")), null, null, null, null);
        List<EntryResult<SentMessage>> results =
                client(sqs(override -> {})).send(queue, List.of(A, A, withAttribute));
        assertThat(results.get(0)).isEqualTo(new EntryResult.Accepted<>(new SentMessage("m0", null)));
        assertThat(results.subList(1, 3))
                .allSatisfy(result -> assertThat(result).isInstanceOfSatisfying(EntryResult.Rejected.class, changed -> {
                    assertThat(changed.code()).isEqualTo("DigestMismatch");
                    assertThat(changed.retryable()).isFalse();
                    assertThat(changed.mayHaveBeenAccepted()).isTrue();
                }));
        assertThat(results.get(1).toString()).contains("m1").contains("body");
        assertThat(results.get(2).toString()).contains("m2").contains("attributes");
        assertThat(stub.requests()).hasSize(1);
    }

    @Test
    void refusesAMessageWhoseBodyIsNotWhatTheDigestSays() {
        stub.respond(request -> StubSqs.Response.ok("""
                {"Messages":[{"MessageId":"m","ReceiptHandle":"h","Body":"secret","MD5OfBody":"0"}]}"""));
        QueueCallException failure = catchThrowableOfType(QueueCallException.class, this::receive);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure).hasMessageContaining("digest of the message body").hasMessageNotContaining("secret");
    }

    @Test
    void refusesAttributesThatAreNotWhatTheDigestSays() {
        stub.respond(request -> StubSqs.Response.ok("""
                {"Messages":[{"MessageId":"m","ReceiptHandle":"h","Body":"a","MD5OfBody":"%s",
                  "MessageAttributes":{"n":{"DataType":"String","StringValue":"v"}},
                  "MD5OfMessageAttributes":"0"}]}""".formatted(Digests.ofBody("a"))));
        assertThat(catchThrowableOfType(QueueCallException.class, this::receive))
                .hasMessageContaining("digest of the message attributes");
    }

    @Test
    void aResponseKeepsItsSharedBufferUntilItIsRead() throws Exception {
        stub.respond(request ->
                new StubSqs.Response(200, "{\"" + "x".repeat(request.body().length()) + "\":1}", ""));
        HttpCalls calls = new HttpCalls(sqs(override -> {}), http, Instant::now);
        Duration limit = Duration.ofSeconds(30);
        JsonWriter twenty = JsonWriter.take().raw("y".repeat(20));
        String outer = calls.call("DeleteMessageBatch", queue, twenty, limit, json -> {
            try { // whoever calls meanwhile must not get the buffer
                var ignored = calls.call("DeleteMessageBatch", queue, JsonWriter.take(), limit, other -> other.open());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return json.open() ? Objects.requireNonNull(json.nextMember()) : "nothing";
        });
        assertThat(outer).isEqualTo("x".repeat(20));
    }

    @Test
    void aRequestKeepsItsSharedBufferUntilItIsRead() throws Exception {
        try (InputStream request = JsonWriter.take().raw("first").stream()) {
            JsonWriter other = JsonWriter.take().raw("other");
            assertThat(request.readAllBytes()).isEqualTo("first".getBytes(UTF_8));
            other.giveBack();
        }
    }

    @Test
    void saysAtOnceThatAProviderCannotBeLoaded() {
        SqsClient sqs = withCredentials(() -> {
            throw new NoClassDefFoundError("com/example/Missing");
        });
        QueueCallException failure =
                catchThrowableOfType(QueueCallException.class, () -> client(sqs).delete(queue, List.of("h")));
        assertThat(failure).hasMessageContaining("com/example/Missing").hasMessageNotContaining("gave no credentials");
    }

    @Test
    void saysThatThereAreNoCredentials() {
        SqsClient sqs = SqsClient.builder()
                .endpointOverride(stub.endpoint())
                .region(Region.US_EAST_1)
                .credentialsProvider(() -> {
                    throw SdkClientException.create("no credentials here");
                })
                .build();
        opened.add(sqs);
        assertThatThrownBy(() -> client(sqs).delete(queue, List.of("h"))).hasMessageContaining("no credentials here");
    }

    @Test
    void refusesAClientThatDoesNotSign() {
        SqsClient sqs = SqsClient.builder()
                .endpointOverride(stub.endpoint())
                .region(Region.US_EAST_1)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .build();
        opened.add(sqs);
        assertThatThrownBy(() -> client(sqs).delete(queue, List.of("h"))).hasMessageContaining("turn them off");
    }

    @Test
    void givesTheSameNativeMessageAsTheSdk() throws Exception {
        ElasticMqServer server = ElasticMqServer.shared();
        Queue real = server.createQueue(Map.of());
        QueueClient direct = client(server.client());
        SendEntry entry = new SendEntry(
                "grüße",
                Map.of(
                        "text", MessageAttribute.text("String.label", "t"),
                        "bytes", MessageAttribute.binary(new byte[] {0, 1, -1})),
                "Root=1-5759e988-bd862e3fe1be46a994272793",
                null,
                null,
                null);
        assertThat(direct.send(real, List.of(entry))).allMatch(result -> result instanceof EntryResult.Accepted);
        ReceiveCall again = new ReceiveCall(real, 10, Duration.ofSeconds(1), Duration.ZERO, null);
        Message ours = (Message) direct.receive(again).getFirst().nativeMessage();
        Message theirs = (Message)
                new AwsQueueClient(server.client()).receive(again).getFirst().nativeMessage();
        assertThat(ours.messageAttributes()).isEqualTo(theirs.messageAttributes());
        assertThat(ours.attributesAsStrings().keySet())
                .isEqualTo(theirs.attributesAsStrings().keySet());
        assertThat(ours)
                .usingRecursiveComparison()
                .ignoringFields("receiptHandle", "attributes", "messageAttributes")
                .isEqualTo(theirs);
    }

    @Test
    void findsWhatDirectCallsWouldLeaveOut() {
        assertThat(DirectQueueClient.obstacle(sqs(override -> {}))).isEmpty();
        assertThat(DirectQueueClient.obstacle(sqs(override -> override.addExecutionInterceptor(new Interceptor()))))
                .hasValueSatisfying(found -> assertThat(found).contains("execution interceptor", "Interceptor"));
        assertThat(DirectQueueClient.obstacle(
                        sqs(override -> override.addMetricPublisher(LoggingMetricPublisher.create()))))
                .hasValueSatisfying(found -> assertThat(found).contains("LoggingMetricPublisher"));
        assertThat(DirectQueueClient.obstacle(sqs(override -> override.apiCallTimeout(Duration.ofSeconds(9)))))
                .contains("the apiCallTimeout");
        assertThat(DirectQueueClient.obstacle(sqs(override -> override.apiCallAttemptTimeout(Duration.ofSeconds(9)))))
                .contains("the apiCallAttemptTimeout");
    }

    private List<ReceivedMessage> receive() throws InterruptedException {
        DirectQueueClient client = new DirectQueueClient(sqs(override -> {}), http);
        return client.receive(new ReceiveCall(queue, 10, Duration.ZERO, null, null));
    }

    private SqsClient built(Consumer<SqsClientBuilder> more) {
        SqsClientBuilder builder = SqsClient.builder()
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")));
        more.accept(builder);
        SqsClient sqs = builder.build();
        opened.add(sqs);
        return sqs;
    }

    private SqsClient withCredentials(Supplier<CompletableFuture<AwsCredentialsIdentity>> credentials) {
        return built(builder -> builder.credentialsProvider(new IdentityProvider<AwsCredentialsIdentity>() {
            @Override
            public Class<AwsCredentialsIdentity> identityType() {
                return AwsCredentialsIdentity.class;
            }

            @Override
            public CompletableFuture<AwsCredentialsIdentity> resolveIdentity(ResolveIdentityRequest request) {
                return credentials.get();
            }
        }));
    }

    private SqsClient sqs(Consumer<ClientOverrideConfiguration.Builder> more) {
        return sqs(stub.endpoint(), more);
    }

    private SqsClient sqs(URI endpoint, Consumer<ClientOverrideConfiguration.Builder> more) {
        SqsClient sqs = SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .overrideConfiguration(override -> {
                    override.retryStrategy(AwsRetryStrategy.doNotRetry());
                    more.accept(override);
                })
                .build();
        opened.add(sqs);
        return sqs;
    }

    private static final class Interceptor implements ExecutionInterceptor {}
}
