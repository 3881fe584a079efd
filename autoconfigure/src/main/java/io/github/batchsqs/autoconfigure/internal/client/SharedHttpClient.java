/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.HttpClientOptions.Proxy;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.direct.UnsupportedFeatures;
import io.github.batchsqs.internal.http.PooledHttpClient;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * The HTTP client that the SDK's client is built with, kept so that direct calls use its connections too. The SDK's client
 * closes it. None is built if a customizer brings another.
 */
final class SharedHttpClient implements SdkHttpClient.Builder<SharedHttpClient> {

    private static final Logger log = LoggerFactory.getLogger(SharedHttpClient.class);

    /** For calls of the SDK that have no limit of their own, such as look-ups. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HttpClientOptions options;

    private volatile @Nullable SdkHttpClient built;

    SharedHttpClient(HttpClientOptions options) {
        this.options = options;
    }

    @Override
    public SdkHttpClient buildWithDefaults(AttributeMap serviceDefaults) {
        SdkHttpClient http = client(ProxyConfiguration.builder().build());
        built = http;
        return http;
    }

    /**
     * Builds the client.
     *
     * @param environment the proxy of the system properties and environment variables, as the SDK reads them
     */
    SdkHttpClient client(ProxyConfiguration environment) {
        Proxy proxy = options.proxy() == null ? proxy(environment) : options.proxy();
        if (proxy != null) {
            log.info("Calls to SQS go through the proxy {}", proxy);
        }
        return new PooledHttpClient(proxy == null ? options : options.withProxy(proxy), LIMIT);
    }

    private static @Nullable Proxy proxy(ProxyConfiguration environment) {
        return environment.host() == null || environment.port() <= 0
                ? null
                : new Proxy(
                        environment.host(),
                        environment.port(),
                        environment.username(),
                        environment.password(),
                        environment.nonProxyHosts());
    }

    /**
     * Makes the client that listeners and the template call.
     *
     * @param sqs the SDK's client, which was built with this HTTP client unless a customizer or the application brought another
     * @param direct whether direct calls are wanted, which leave out the SDK's request pipeline
     */
    QueueClient queues(SqsClient sqs, boolean direct) {
        if (!direct) {
            return new AwsQueueClient(sqs);
        }
        SdkHttpClient http = built;
        Optional<String> obstacle = UnsupportedFeatures.of(sqs);
        if (http != null && obstacle.isEmpty()) {
            return new DirectQueueClient(sqs, http);
        }
        log.info(
                "SQS is called through the AWS SDK's request pipeline, because its client has {}. Direct calls, which"
                        + " need less CPU time, would bypass that. Set batchsqs.client.direct=false to hide this line.",
                obstacle.orElse("a custom HTTP client"));
        return new AwsQueueClient(sqs);
    }
}
