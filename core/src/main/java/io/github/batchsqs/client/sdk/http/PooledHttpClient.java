/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import io.github.batchsqs.support.SafeLog;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.DefaultHostnameVerifier;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.TlsTrustManagersProvider;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * An HTTP client on the connections of Apache HttpClient, without its chain of redirects, cookies, proxies, authentication, retries
 * and unpacking, none of which a call to SQS needs.
 *
 * <p>TLS works as in the SDK's own client: the platform's certificates, or those of the system properties
 * {@code javax.net.ssl.*}, and the host's name is checked. Connections are kept for the next call, until they were idle for the
 * maximum idle time or reach their time to live. A response has at most {@value #MOST_HEADERS} headers of at most
 * {@value #LONGEST_LINE} bytes each; a larger one fails with an {@link java.io.IOException}.
 *
 * <p>An interrupt ends a call on a virtual thread. Safe for use by any thread. It needs Apache HttpClient 5.4 or later
 * ({@code org.apache.httpcomponents.client5:httpclient5}), which is an optional dependency of this module.
 */
public final class PooledHttpClient implements SdkHttpClient {

    static final String NAME = "BatchSqs";

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(PooledHttpClient.class));

    private static final long SHORTEST_TICK = 10;
    private static final long LONGEST_TICK = 15_000;
    private static final int LONGEST_LINE = 65_536;
    private static final int MOST_HEADERS = 200;

    private final PoolingHttpClientConnectionManager connections;
    private final Timeout acquisition;
    private final TimeValue idle;
    private final AtomicBoolean tended = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** The route of the last call: as a rule all go to one host. */
    private volatile @Nullable HttpRoute last;

    /**
     * Builds a client.
     *
     * @param options of {@link SdkHttpConfigurationOption}, in place of the SDK's defaults: timeouts, the number, the idle time
     *     and the time to live of connections, keep-alive of TCP, managers of keys and trust. Other options have no effect; no certificate is trusted blindly
     */
    public PooledHttpClient(AttributeMap options) {
        AttributeMap all = options.merge(SdkHttpConfigurationOption.GLOBAL_HTTP_DEFAULTS);
        this.acquisition = timeout(all, SdkHttpConfigurationOption.CONNECTION_ACQUIRE_TIMEOUT);
        Duration longestIdle = all.get(SdkHttpConfigurationOption.CONNECTION_MAX_IDLE_TIMEOUT);
        this.idle = longestIdle.isPositive() ? TimeValue.of(longestIdle) : TimeValue.NEG_ONE_MILLISECOND;
        int most = all.get(SdkHttpConfigurationOption.MAX_CONNECTIONS);
        this.connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(most)
                .setMaxConnTotal(most)
                .setTlsSocketStrategy(tls(all))
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .http1Config(Http1Config.custom()
                                .setMaxLineLength(LONGEST_LINE)
                                .setMaxHeaderCount(MOST_HEADERS)
                                .build())
                        .requestWriterFactory(RequestWriter::new)
                        .build())
                .setDefaultSocketConfig(SocketConfig.custom()
                        .setSoKeepAlive(all.get(SdkHttpConfigurationOption.TCP_KEEPALIVE))
                        .setSoTimeout(timeout(all, SdkHttpConfigurationOption.READ_TIMEOUT))
                        .setTcpNoDelay(true)
                        .build())
                .setDefaultConnectionConfig(connection(all))
                .build();
    }

    private static ConnectionConfig connection(AttributeMap all) {
        ConnectionConfig.Builder connection = ConnectionConfig.custom()
                .setConnectTimeout(timeout(all, SdkHttpConfigurationOption.CONNECTION_TIMEOUT))
                .setSocketTimeout(timeout(all, SdkHttpConfigurationOption.READ_TIMEOUT));
        Duration timeToLive = all.get(SdkHttpConfigurationOption.CONNECTION_TIME_TO_LIVE);
        if (timeToLive.isPositive()) { // the SDK's default, zero, is no limit
            connection.setTimeToLive(TimeValue.of(timeToLive));
        }
        return connection.build();
    }

    private static Timeout timeout(AttributeMap all, SdkHttpConfigurationOption<Duration> option) {
        return Timeout.of(all.get(option));
    }

    private static TlsSocketStrategy tls(AttributeMap all) {
        TlsTrustManagersProvider trust = all.get(SdkHttpConfigurationOption.TLS_TRUST_MANAGERS_PROVIDER);
        TrustManager[] trusted = trust == null ? null : trust.trustManagers(); // none: those of the platform
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    all.get(SdkHttpConfigurationOption.TLS_KEY_MANAGERS_PROVIDER)
                            .keyManagers(),
                    trusted,
                    null);
            return new DefaultClientTlsStrategy(
                    context, HostnameVerificationPolicy.CLIENT, new DefaultHostnameVerifier());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        if (!tended.get() && TimeValue.isPositive(idle) && tended.compareAndSet(false, true)) {
            startIdleThread();
        }
        return new PooledRequest(connections, route(request.httpRequest()), acquisition, idle, request);
    }

    private HttpRoute route(SdkHttpRequest request) {
        HttpRoute known = last;
        if (known != null) {
            HttpHost host = known.getTargetHost();
            if (host.getPort() == request.port()
                    && host.getHostName().equals(request.host())
                    && host.getSchemeName().equals(request.protocol())) {
                return known;
            }
        }
        boolean secure = request.protocol().equals("https");
        HttpRoute route = new HttpRoute(new HttpHost(request.protocol(), request.host(), request.port()), null, secure);
        last = route;
        return route;
    }

    private void startIdleThread() {
        try {
            DeadlineThreads.idle(this::closeIdle);
        } catch (Throwable noThread) { // for lack of memory, for example: the next call tries again
            tended.set(false);
            throw noThread;
        }
    }

    /** Closes connections that nobody has used for long, until the client is closed. */
    private void closeIdle() {
        long tick = Math.clamp(idle.toMilliseconds() / 4, SHORTEST_TICK, LONGEST_TICK);
        boolean open = true;
        while (open) {
            try {
                open = !closed.await(tick, TimeUnit.MILLISECONDS);
                connections.closeExpired();
                connections.closeIdle(idle);
            } catch (Throwable e) { // nothing ends this thread but the close
                log.error("Idle HTTP connections could not be closed", e);
            }
        }
    }

    @Override
    public String clientName() {
        return NAME;
    }

    @Override
    public void close() {
        closed.countDown();
        connections.close(CloseMode.IMMEDIATE);
    }
}
