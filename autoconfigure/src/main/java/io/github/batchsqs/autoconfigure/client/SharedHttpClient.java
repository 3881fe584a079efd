/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.client;

import io.github.batchsqs.client.sdk.http.DeadlineHttpClient;
import io.github.batchsqs.client.sdk.http.PooledHttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * The HTTP client that the SDK's client is built with, kept so that direct calls use its connections too. The SDK's client
 * closes it. None is built if a customizer brings another.
 */
final class SharedHttpClient implements SdkHttpClient.Builder<SharedHttpClient> {

    private static final Logger log = LoggerFactory.getLogger(SharedHttpClient.class);

    /** Above the longest poll, 20 s, plus the time of its response. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

    /** For ten messages of 1 MiB on a slow line. */
    private static final Duration LONGEST_CALL = Duration.ofMinutes(2);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ACQUISITION_TIMEOUT = Duration.ofSeconds(10);

    /**
     * Out of reach on purpose. Every caller bounds its own calls ({@code pollers.max}, {@code acknowledge.max-in-flight}, the
     * sender's {@code max-in-flight}), and listeners may be added at run time; a lower cap could only make long polls,
     * which hold a connection for 20 s each, starve deletes. Connections are opened when needed and closed when idle.
     */
    private static final int MAX_CONNECTIONS = 10_000;

    private static final AttributeMap OPTIONS = AttributeMap.builder()
            .put(SdkHttpConfigurationOption.MAX_CONNECTIONS, MAX_CONNECTIONS)
            .put(SdkHttpConfigurationOption.CONNECTION_TIMEOUT, CONNECT_TIMEOUT)
            .put(SdkHttpConfigurationOption.CONNECTION_ACQUIRE_TIMEOUT, ACQUISITION_TIMEOUT)
            .build();

    private volatile @Nullable SdkHttpClient built;

    @Override
    public SdkHttpClient buildWithDefaults(AttributeMap serviceDefaults) {
        SdkHttpClient http = new DeadlineHttpClient(
                options -> client(options, ProxyConfiguration.builder().build()),
                OPTIONS.merge(serviceDefaults),
                LONGEST_SILENCE,
                LONGEST_CALL);
        built = http;
        return http;
    }

    /**
     * Builds the client. The SDK's own one reaches SQS through a proxy; without one, its chain is only in the way.
     *
     * @param proxy of the system properties and environment variables, as the SDK reads them
     */
    static SdkHttpClient client(AttributeMap options, ProxyConfiguration proxy) {
        if (proxy.host() == null || proxy.port() <= 0) {
            return new PooledHttpClient(options);
        }
        log.info(
                "The HTTP client of the AWS SDK makes the calls to SQS, because there is the proxy {}:{}",
                proxy.host(),
                proxy.port());
        return Apache5HttpClient.builder().proxyConfiguration(proxy).buildWithDefaults(options);
    }

    /** The client that the SDK uses, or {@code null} if it uses another. */
    @Nullable
    SdkHttpClient built() {
        return built;
    }
}
