/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.QueueClientTests;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.http.PooledHttpClient;
import io.github.batchsqs.internal.http.ResponseBody;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.testkit.ConnectionServer;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.ScriptedHttpServer;
import io.github.batchsqs.testkit.ScriptedHttpServer.Response;
import io.github.batchsqs.testkit.StubSqs;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
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

class DirectQueueClientTests extends QueueClientTests {

    private static final SendEntry A = new SendEntry("a", Map.of(), null, null, null);

    private final SdkHttpClient http = Apache5HttpClient.builder()
            .connectionTimeout(Duration.ofMinutes(1))
            .connectionAcquisitionTimeout(Duration.ofMinutes(1))
            .build();
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
                    new DirectQueueClient(sqs(server.endpoint()), http), new AwsQueueClient(sqs(server.endpoint())))) {
                assertThat(failureOf(client).retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
            }
        }
    }

    @Test
    void knowsThatNothingWasSentWithoutAConnection() throws Exception {
        URI nobody = stub.endpoint();
        stub.close();
        QueueCallException failure = failureOf(client(sqs(nobody)));
        assertThat(failure.code()).isEqualTo("ConnectionFailed");
        assertThat(failure.refused()).isFalse();
        assertThat(failure.mayHaveBeenAccepted()).isFalse();
    }

    /** Bytes of a handshake or of a question to a proxy are no request. */
    @ParameterizedTest
    @CsvSource({"false, true", "false, false", "true, false"})
    void knowsThatNothingWasSentWithoutAWholeConnection(boolean proxied, boolean resets) throws Exception {
        try (ConnectionServer server = new ConnectionServer(socket -> {
            int first = socket.getInputStream().read(new byte[64]);
            socket.setSoLinger(resets && first > 0, 0); // a close is a reset then
        })) {
            Set<String> direct = Set.of();
            HttpClientOptions options = proxied
                    ? HttpClientOptions.defaults()
                            .withProxy(new HttpClientOptions.Proxy("localhost", server.port(), null, null, direct))
                    : HttpClientOptions.defaults();
            try (PooledHttpClient pooled = new PooledHttpClient(options, Duration.ofSeconds(30))) {
                SqsClient sqs = sqs(URI.create("https://" + (proxied ? "sqs.example" : "localhost:" + server.port())));
                assertThat(failureOf(sqs, pooled).code()).isEqualTo("ConnectionFailed");
            }
        }
    }

    @Test
    void knowsThatAClosedClientSendsNothing() {
        PooledHttpClient pooled = new PooledHttpClient(HttpClientOptions.defaults(), Duration.ofSeconds(30));
        pooled.close();
        QueueCallException failure = failureOf(sqs(), pooled);
        assertThat(failure.code()).isEqualTo("ClientClosed");
        assertThat(failure.retryable()).isFalse();
    }

    private QueueCallException failureOf(SqsClient sqs, PooledHttpClient pooled) {
        QueueCallException failure = catchThrowableOfType(
                QueueCallException.class, () -> new DirectQueueClient(sqs, pooled).send(queue, List.of(A)));
        assertThat(failure.mayHaveBeenAccepted()).isFalse();
        return failure;
    }

    @Test
    void namesTheClockWhenItCannotBeCorrected() throws Exception {
        String body = "{\"__type\":\"RequestTimeTooSkewed\"}";
        try (ScriptedHttpServer server =
                new ScriptedHttpServer(request -> Response.of(403, List.of("X: no date"), body.getBytes(UTF_8)))) {
            for (QueueClient client : List.of(
                    new DirectQueueClient(sqs(server.endpoint()), http), new AwsQueueClient(sqs(server.endpoint())))) {
                QueueCallException failure = failureOf(client);
                assertThat(failure).hasMessageContaining("Check the clock of this machine");
                assertThat(failure.retryable()).isTrue();
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

    static Stream<Arguments> obstacles() {
        return Stream.of(
                overriding("the retry strategy", o -> o.retryStrategy(AwsRetryStrategy.standardRetryStrategy())),
                overriding(
                        "the execution interceptor " + Interceptor.class.getName(),
                        o -> o.addExecutionInterceptor(new Interceptor())),
                overriding("LoggingMetricPublisher", o -> o.addMetricPublisher(LoggingMetricPublisher.create())),
                overriding("the apiCallTimeout", o -> o.apiCallTimeout(Duration.ofSeconds(9))),
                overriding("the apiCallAttemptTimeout", o -> o.apiCallAttemptTimeout(Duration.ofSeconds(9))),
                overriding(
                        "execution attributes",
                        o -> o.putExecutionAttribute(new ExecutionAttribute<>("OfATest"), "value")),
                custom("checksumValidationEnabled", builder -> builder.checksumValidationEnabled(true)),
                custom(
                        "the endpoint provider",
                        builder -> builder.endpointProvider(parameters ->
                                SqsEndpointProvider.defaultProvider().resolveEndpoint(parameters))),
                custom(
                        "the auth scheme provider",
                        builder -> builder.authSchemeProvider(parameters ->
                                SqsAuthSchemeProvider.defaultProvider().resolveAuthScheme(parameters))));
    }

    private static Arguments overriding(String found, Consumer<ClientOverrideConfiguration.Builder> change) {
        return custom(
                found,
                builder -> builder.overrideConfiguration(builder.overrideConfiguration().toBuilder()
                        .applyMutation(change)
                        .build()));
    }

    private static Arguments custom(String found, Consumer<SqsClientBuilder> change) {
        return Arguments.of(found, change);
    }

    @ParameterizedTest
    @MethodSource("obstacles")
    void findsWhatDirectCallsWouldLeaveOut(String found, Consumer<SqsClientBuilder> change) {
        assertThat(UnsupportedFeatures.of(built(change)))
                .hasValueSatisfying(obstacle -> assertThat(obstacle).contains(found));
    }

    @Test
    void leavesAWrappedClientToTheSdkAndNoOther() {
        SqsClient plain = sqs();
        SqsClient wrapped = (SqsClient) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SqsClient.class},
                (proxy, method, arguments) -> method.invoke(plain, arguments));
        assertThat(UnsupportedFeatures.of(wrapped))
                .hasValueSatisfying(found -> assertThat(found).contains("the SqsClient"));
        assertThat(UnsupportedFeatures.of(plain)).isEmpty();
    }

    /** Nobody asks for one, and nobody inflates it: it would be larger than a body may be. */
    @Test
    void aCompressedBodyIsNoResponse() throws Exception {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bomb)) {
            for (int i = 0; i <= ResponseBody.LARGEST >> 20; i++) {
                zip.write(new byte[1 << 20]);
            }
        }
        Response compressed = Response.of(200, List.of("Content-Encoding: gzip"), bomb.toByteArray());
        try (ScriptedHttpServer hostile = new ScriptedHttpServer(request -> compressed)) {
            QueueClient client = new DirectQueueClient(sqs(hostile.endpoint()), http);
            assertThat(failureOf(client).code()).isEqualTo("UnreadableResponse");
        }
    }

    /** More than any response of SQS has; the one connection is free for the second call. */
    @Test
    void anEndlessBodyEndsAtTheLimit() throws Exception {
        byte[] megabyte = " ".repeat(1 << 20).getBytes(UTF_8);
        try (ConnectionServer hostile = new ConnectionServer(socket -> {
                    socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(UTF_8));
                    while (true) {
                        socket.getOutputStream().write(megabyte);
                    }
                });
                PooledHttpClient pooled = new PooledHttpClient(
                        HttpClientOptions.defaults().withMaxConnections(1), Duration.ofSeconds(30))) {
            URI endpoint = URI.create("http://127.0.0.1:" + hostile.port());
            QueueClient client = new DirectQueueClient(sqs(endpoint), pooled);
            for (int i = 0; i < 2; i++) {
                QueueCallException failure = failureOf(client);
                assertThat(failure).hasMessageContaining("larger than " + ResponseBody.LARGEST + " bytes");
                assertThat(failure.code()).isEqualTo("ConnectionFailed");
                assertThat(failure.retryable()).isTrue();
            }
        }
    }

    @Test
    void aResponseKeepsItsSharedBufferUntilItIsRead() throws Exception {
        stub.respond(request ->
                new StubSqs.Response(200, "{\"" + "x".repeat(request.body().length()) + "\":1}", ""));
        DirectQueueClient calls = new DirectQueueClient(sqs(), http);
        Duration limit = Duration.ofSeconds(30);
        JsonWriter twenty = JsonWriter.take().raw("y".repeat(20));
        String outer = calls.call("DeleteMessageBatch", queue, () -> twenty, limit, json -> {
            try { // whoever calls meanwhile must not get the buffer
                var ignored = calls.call("DeleteMessageBatch", queue, JsonWriter::take, limit, other -> other.open());
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

    static Stream<Arguments> credentials() {
        return Stream.of(
                Arguments.of("turn them off", AnonymousCredentialsProvider.create()),
                Arguments.of("no credentials here", (AwsCredentialsProvider) () -> {
                    throw SdkClientException.create("no credentials here");
                }),
                Arguments.of("com/example/Missing", (AwsCredentialsProvider) () -> {
                    throw new NoClassDefFoundError("com/example/Missing");
                }));
    }

    @ParameterizedTest
    @MethodSource("credentials")
    void saysAtOnceWhyItCannotSign(String why, AwsCredentialsProvider provider) {
        SqsClient sqs =
                built(builder -> builder.endpointOverride(stub.endpoint()).credentialsProvider(provider));
        QueueCallException failure = failureOf(client(sqs));
        assertThat(failure).hasMessageContaining(why).hasMessageNotContaining("gave no credentials");
        assertThat(failure.mayHaveBeenAccepted()).isFalse();
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

    private SqsClient sqs() {
        return sqs(stub.endpoint());
    }

    private SqsClient sqs(URI endpoint) {
        return built(builder -> builder.endpointOverride(endpoint));
    }

    private QueueCallException failureOf(QueueClient client) {
        return catchThrowableOfType(QueueCallException.class, () -> client.delete(queue, List.of("h")));
    }

    private static final class Interceptor implements ExecutionInterceptor {}
}
