/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;
import software.amazon.awssdk.services.sqs.endpoints.SqsEndpointProvider;

class QueueClientsTests {

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = new LoggerContext().getLogger("clients");
    private final SdkHttpClient http = Apache5HttpClient.create();

    QueueClientsTests() {
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void directCallsNeedNoLineOfTheLog() {
        try (SqsClient sqs = sqs(builder -> {})) {
            assertThat(QueueClients.of(sqs, http, true, log)).isInstanceOf(DirectQueueClient.class);
        }
        assertThat(lines.list).isEmpty();
    }

    @Test
    void callsThroughTheSdkThatTheApplicationHasSetNeedNoLineOfTheLog() {
        try (SqsClient sqs = sqs(builder ->
                builder.overrideConfiguration(override -> override.addExecutionInterceptor(new Interceptor())))) {
            assertThat(QueueClients.of(sqs, http, false, log)).isInstanceOf(AwsQueueClient.class);
        }
        assertThat(lines.list).isEmpty();
    }

    @Test
    void theLogNamesTheReasonForCallsThroughTheSdk() {
        assertReason(
                "the execution interceptor " + Interceptor.class.getName(),
                builder ->
                        builder.overrideConfiguration(override -> override.addExecutionInterceptor(new Interceptor())));
        assertReason(
                "the apiCallTimeout",
                builder -> builder.overrideConfiguration(override -> override.apiCallTimeout(Duration.ofSeconds(42))));
        assertReason(
                "the endpoint provider " + getClass().getName(),
                builder -> builder.endpointProvider(
                        parameters -> SqsEndpointProvider.defaultProvider().resolveEndpoint(parameters)));
    }

    @Test
    void theLogNamesAnHttpClientThatIsNotOurs() {
        try (SqsClient sqs = sqs(builder -> {})) {
            assertThat(QueueClients.of(sqs, null, true, log)).isInstanceOf(AwsQueueClient.class);
        }
        assertLine("a custom HTTP client");
    }

    @Test
    void theLogNamesTheClassOfAWrappedClient() {
        SqsClient wrapped = (SqsClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {SqsClient.class}, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
        assertThat(QueueClients.of(wrapped, http, true, log)).isInstanceOf(AwsQueueClient.class);
        assertLine("the SqsClient " + wrapped.getClass().getName());
    }

    private void assertReason(String reason, Consumer<SqsClientBuilder> custom) {
        lines.list.clear();
        try (SqsClient sqs = sqs(custom)) {
            assertThat(QueueClients.of(sqs, http, true, log)).isInstanceOf(AwsQueueClient.class);
        }
        assertLine(reason);
    }

    private void assertLine(String reason) {
        assertThat(lines.list)
                .singleElement()
                .asString()
                .contains(
                        "[INFO] SQS is called through the AWS SDK's request pipeline, because its client has " + reason)
                .contains("Set batchsqs.client.direct=false to hide this line");
    }

    private static SqsClient sqs(Consumer<SqsClientBuilder> custom) {
        SqsClientBuilder builder = SqsClient.builder()
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")));
        custom.accept(builder);
        return builder.build();
    }

    private static final class Interceptor implements ExecutionInterceptor {}
}
