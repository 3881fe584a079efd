/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.sun.net.httpserver.HttpServer;
import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.testkit.LogCapture;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

@Isolated("hears the log of the class")
class SharedHttpClientTests {

    @Test
    void callsGoThroughAProxy() throws Exception {
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", exchange -> {
            byte[] asked = exchange.getRequestURI().toString().getBytes(UTF_8);
            exchange.sendResponseHeaders(200, asked.length);
            exchange.getResponseBody().write(asked);
            exchange.close();
        });
        proxy.start();
        URI address = URI.create("http://127.0.0.1:" + proxy.getAddress().getPort());
        try (SdkHttpClient client = new SharedHttpClient(HttpClientOptions.defaults())
                .client(none().endpoint(address).build())) {
            HttpExecuteResponse response = client.prepareRequest(HttpExecuteRequest.builder()
                            .request(SdkHttpRequest.builder()
                                    .method(SdkHttpMethod.GET)
                                    .uri(URI.create("http://sqs.invalid/orders"))
                                    .build())
                            .build())
                    .call();
            try (InputStream body = response.responseBody().orElseThrow()) {
                assertThat(new String(body.readAllBytes(), UTF_8)).isEqualTo("http://sqs.invalid/orders");
            }
        } finally {
            proxy.stop(0);
        }
    }

    @Test
    void callsDirectlyWithoutALineOfTheLog() {
        assertClient(DirectQueueClient.class, true, true, builder -> {});
    }

    @Test
    void callsThroughTheSdkAsTheApplicationHasSetWithoutALineOfTheLog() {
        assertClient(AwsQueueClient.class, true, false, SharedHttpClientTests::intercept);
    }

    @Test
    void theLogNamesTheReasonForCallsThroughTheSdk() {
        assertClient(
                AwsQueueClient.class,
                true,
                true,
                SharedHttpClientTests::intercept,
                "the execution interceptor " + Interceptor.class.getName());
        assertClient(AwsQueueClient.class, false, true, builder -> {}, "a custom HTTP client");
    }

    private static void assertClient(
            Class<?> expected, boolean ours, boolean direct, Consumer<SqsClientBuilder> custom, String... reasons) {
        var shared = new SharedHttpClient(HttpClientOptions.defaults());
        SqsClientBuilder builder = SqsClient.builder()
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")));
        custom.accept(builder);
        if (ours) {
            builder.httpClientBuilder(shared);
        }
        ((Logger) LoggerFactory.getLogger(SharedHttpClient.class)).setLevel(Level.INFO);
        try (SqsClient sqs = builder.build();
                var heard = LogCapture.infos()) {
            assertThat(shared.queues(sqs, direct)).isInstanceOf(expected);
            assertThat(heard.events())
                    .hasSize(reasons.length)
                    .allSatisfy(line -> assertThat(line)
                            .contains(
                                    "SQS is called through the AWS SDK's request pipeline, because its client has "
                                            + reasons[0],
                                    "Set batchsqs.client.direct=false to hide this line"));
        }
    }

    private static void intercept(SqsClientBuilder builder) {
        builder.overrideConfiguration(override ->
                override.addExecutionInterceptor(new Interceptor()).retryStrategy(AwsRetryStrategy.doNotRetry()));
    }

    private static final class Interceptor implements ExecutionInterceptor {}

    private static ProxyConfiguration.Builder none() {
        return ProxyConfiguration.builder().useSystemPropertyValues(false).useEnvironmentVariableValues(false);
    }
}
