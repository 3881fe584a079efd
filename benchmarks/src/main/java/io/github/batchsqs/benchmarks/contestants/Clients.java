/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.http.PooledHttpClient;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClientBuilder;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.utils.AttributeMap;

/** The SDK's clients. */
public final class Clients {

    /** The common runtime knows no trust store of the JVM; what it saves is a check at each handshake, of which there are few. */
    private static final AttributeMap TRUSTING = AttributeMap.builder()
            .put(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, true)
            .build();

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    private Clients() {}

    /** Which HTTP client an asynchronous SDK client stands on. */
    public enum Http {
        /** The SDK's default, as it is. */
        NETTY_DEFAULT,
        /** Netty with as many connections as are needed. */
        NETTY,
        /** The AWS common runtime with as many connections as are needed. */
        CRT
    }

    /** The blocking client as the auto-configuration of BatchSQS builds it. */
    public static SqsClient blocking(URI endpoint) {
        return configured(SqsClient.builder(), endpoint)
                .httpClientBuilder(apache().socketTimeout(READ_TIMEOUT))
                .build();
    }

    /** BatchSQS's own calls, as the auto-configuration makes them by default. */
    public static QueueClient direct(SqsClient sqs) {
        return new DirectQueueClient(sqs, new PooledHttpClient(HttpClientOptions.defaults(), READ_TIMEOUT));
    }

    private static Apache5HttpClient.Builder apache() {
        return Apache5HttpClient.builder()
                .maxConnections(10_000)
                .connectionTimeout(Duration.ofSeconds(5))
                .connectionAcquisitionTimeout(Duration.ofSeconds(10));
    }

    /** An asynchronous client. */
    public static SqsAsyncClient async(URI endpoint, Http http) {
        SqsAsyncClientBuilder sqs = configured(SqsAsyncClient.builder(), endpoint);
        return http == Http.CRT
                ? sqs.httpClient(builder(http).buildWithDefaults(TRUSTING)).build()
                : sqs.httpClientBuilder(builder(http)).build();
    }

    private static SdkAsyncHttpClient.Builder<?> builder(Http http) {
        return switch (http) {
            case NETTY_DEFAULT -> NettyNioAsyncHttpClient.builder();
            case NETTY ->
                NettyNioAsyncHttpClient.builder()
                        .maxConcurrency(2_000)
                        .maxPendingConnectionAcquires(100_000)
                        .connectionAcquisitionTimeout(Duration.ofMinutes(1));
            case CRT ->
                AwsCrtAsyncHttpClient.builder()
                        .maxConcurrency(2_000)
                        .connectionAcquisitionTimeout(Duration.ofMinutes(1));
        };
    }

    private static <B extends AwsClientBuilder<B, C>, C> B configured(B builder, URI endpoint) {
        return builder.endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.standardRetryStrategy()));
    }
}
