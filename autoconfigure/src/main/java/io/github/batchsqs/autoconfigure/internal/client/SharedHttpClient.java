/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.HttpClientOptions.Proxy;
import io.github.batchsqs.internal.http.PooledHttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
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

    /** The client that the SDK uses, or {@code null} if it uses another. */
    @Nullable
    SdkHttpClient built() {
        return built;
    }
}
