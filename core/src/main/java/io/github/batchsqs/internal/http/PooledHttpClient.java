/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.HttpClientOptions.Proxy;
import java.net.InetAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * An HTTP/1.1 client for calls to SQS: without redirects, cookies, retries and unpacking, none of which they need.
 *
 * <p>Each call has one deadline, from the wait for a connection over the look-up of the host, connect, TLS and exchange to the end
 * of the response's body. Bytes extend it by the time that a line of 64 KiB a second takes for them. A call that is late or aborted
 * closes what it opened. One that ended before it was sent fails with {@code NotSentException}, or with one as the cause if the
 * client is closed; a late one that was sent with {@link java.net.SocketTimeoutException}.
 *
 * <p>TLS works as in the SDK's own clients: the platform's certificates, or those of the system properties
 * {@code javax.net.ssl.*}, and the host's name is checked. A connection is kept for the next call until it was idle for the
 * maximum idle time, the server ends it, or it reaches its time to live: then the host is looked up again. A response has at most
 * 200 headers of at most 64 KiB each.
 *
 * <p>An interrupt ends a call. Safe for use by any thread.
 */
public final class PooledHttpClient implements SdkHttpClient {

    /** A free connection is kept for so long, as the SDK's clients keep it. */
    private static final Duration IDLE = Duration.ofSeconds(60);

    private final ConnectionPool pool;
    private final ConnectionOpener opener;
    private final CallWatch watch;
    private final @Nullable Proxy proxy;
    private final Duration limit;

    /** The route of the last call: as a rule all go to one host. */
    private volatile @Nullable Route last;

    /**
     * Builds a client.
     *
     * @param options how it connects
     * @param limit of a call that is given none
     */
    public PooledHttpClient(HttpClientOptions options, Duration limit) {
        this(options, limit, IDLE, new HostAddresses(InetAddress::getAllByName));
    }

    PooledHttpClient(HttpClientOptions options, Duration limit, Duration idle, HostAddresses hosts) {
        this.limit = limit;
        this.proxy = options.proxy();
        this.pool = new ConnectionPool(options.maxConnections(), idle.toNanos());
        this.opener = new ConnectionOpener(options, hosts);
        this.watch = CallWatch.start(Math.min(idle.toNanos(), limit.toNanos()) / 4, pool::closeIdle);
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return prepareRequest(request, limit);
    }

    /**
     * Prepares a call with a limit of its own.
     *
     * @param request the request
     * @param ownLimit how long the call may last, from its begin
     * @return the call
     */
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request, Duration ownLimit) {
        CallDeadline deadline = new CallDeadline(ownLimit, pool::wake);
        return new HttpCall(pool, opener, watch, request, route(request.httpRequest()), deadline);
    }

    private Route route(SdkHttpRequest request) {
        Route known = last;
        if (known != null && known.isOf(request)) {
            return known;
        }
        Proxy between = proxy != null && isProxied(proxy, request.host()) ? proxy : null;
        Route route = new Route(request.protocol().equals("https"), request.host(), request.port(), between);
        last = route;
        return route;
    }

    private static boolean isProxied(Proxy by, String host) {
        return by.directHosts().stream().noneMatch(host::matches);
    }

    @Override
    public String clientName() {
        return "BatchSqs";
    }

    /** Closes all connections; calls in flight fail. */
    @Override
    public void close() {
        pool.close(); // first: a call that has begun fails as it takes a connection, or the watch ends it
        watch.close();
    }
}
