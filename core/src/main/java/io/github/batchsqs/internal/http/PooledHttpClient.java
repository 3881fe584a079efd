/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.client.HttpProxy;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.TlsTrustManagersProvider;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * An HTTP/1.1 client for calls to SQS: without redirects, cookies, retries and unpacking, none of which they need.
 *
 * <p>Each call has one deadline, from the wait for a connection over the look-up of the host, connect, TLS and exchange to the end
 * of the response's body. Bytes extend it by the time that a line of 64 KiB a second takes for them. A call that is late or aborted
 * closes what it opened. One that ended before it was sent fails with {@code NotSentException}, {@link java.net.ConnectException},
 * {@link java.net.UnknownHostException} or {@link javax.net.ssl.SSLHandshakeException}; a late one that was sent with {@link
 * java.net.SocketTimeoutException}.
 *
 * <p>TLS works as in the SDK's own clients: the platform's certificates, or those of the system properties
 * {@code javax.net.ssl.*}, and the host's name is checked. A connection is kept for the next call until it was idle for the
 * maximum idle time, the server ends it, or it reaches its time to live: then the host is looked up again. A response has at most
 * 200 headers of at most 64 KiB each.
 *
 * <p>An interrupt ends a call. Safe for use by any thread.
 */
public final class PooledHttpClient implements SdkHttpClient {

    private final ConnectionPool pool;
    private final ConnectionOpener opener;
    private final CallWatch watch;
    private final @Nullable HttpProxy proxy;
    private final Duration limit;

    /** The route of the last call: as a rule all go to one host. */
    private volatile @Nullable Route last;

    /**
     * Builds a client without a proxy.
     *
     * @param options of {@link SdkHttpConfigurationOption}, in place of the SDK's defaults: {@code READ_TIMEOUT} is the limit of a
     *     call that is given none, zero for none; further the connect timeout, the number, the idle time and the time to live of
     *     connections, keep-alive of TCP, managers of keys and trust. Other options have no effect; no certificate is trusted
     *     blindly
     */
    public PooledHttpClient(AttributeMap options) {
        this(options, null, null);
    }

    /**
     * Builds a client.
     *
     * @param options as above
     * @param tls makes the TLS connections, in place of the managers of keys and trust; {@code null} for those
     * @param proxy through which calls reach their hosts, or {@code null} for none
     */
    public PooledHttpClient(AttributeMap options, @Nullable SSLContext tls, @Nullable HttpProxy proxy) {
        this(options, tls, proxy, new HostAddresses(InetAddress::getAllByName));
    }

    PooledHttpClient(AttributeMap options, @Nullable SSLContext tls, @Nullable HttpProxy proxy, HostAddresses hosts) {
        AttributeMap all = options.merge(SdkHttpConfigurationOption.GLOBAL_HTTP_DEFAULTS);
        long idle = CallDeadline.nanosOf(all.get(SdkHttpConfigurationOption.CONNECTION_MAX_IDLE_TIMEOUT));
        this.limit = all.get(SdkHttpConfigurationOption.READ_TIMEOUT);
        this.proxy = proxy;
        this.pool = new ConnectionPool(
                all.get(SdkHttpConfigurationOption.MAX_CONNECTIONS),
                idle,
                all.get(SdkHttpConfigurationOption.CONNECTION_ACQUIRE_TIMEOUT).toNanos());
        this.opener = new ConnectionOpener(
                tls == null ? context(all) : tls,
                all.get(SdkHttpConfigurationOption.CONNECTION_TIMEOUT),
                all.get(SdkHttpConfigurationOption.TCP_KEEPALIVE),
                hosts,
                CallDeadline.nanosOf(all.get(SdkHttpConfigurationOption.CONNECTION_TIME_TO_LIVE)));
        this.watch = new CallWatch(Math.min(idle, CallDeadline.nanosOf(limit)) / 4, pool::closeIdle);
    }

    private static SSLContext context(AttributeMap all) {
        TlsTrustManagersProvider trust = all.get(SdkHttpConfigurationOption.TLS_TRUST_MANAGERS_PROVIDER);
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    all.get(SdkHttpConfigurationOption.TLS_KEY_MANAGERS_PROVIDER)
                            .keyManagers(),
                    trust == null ? null : trust.trustManagers(), // none: those of the platform
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return prepareRequest(request, limit);
    }

    /**
     * Prepares a call with a limit of its own.
     *
     * @param request the request
     * @param ownLimit how long the call may last, from its begin; zero for no limit
     * @return the call
     */
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request, Duration ownLimit) {
        return new HttpCall(pool, opener, watch, request, route(request.httpRequest()), ownLimit);
    }

    private Route route(SdkHttpRequest request) {
        Route known = last;
        if (known != null && known.isOf(request)) {
            return known;
        }
        HttpProxy between = proxy != null && isProxied(proxy, request.host()) ? proxy : null;
        Route route = new Route(request.protocol().equals("https"), request.host(), request.port(), between);
        last = route;
        return route;
    }

    private static boolean isProxied(HttpProxy by, String host) {
        return by.directHosts().stream().noneMatch(host::matches);
    }

    ConnectionPool pool() {
        return pool;
    }

    CallWatch watch() {
        return watch;
    }

    @Override
    public String clientName() {
        return HttpCall.CLIENT_NAME;
    }

    /** Closes all connections; calls in flight fail. */
    @Override
    public void close() {
        watch.close();
        pool.close();
    }
}
