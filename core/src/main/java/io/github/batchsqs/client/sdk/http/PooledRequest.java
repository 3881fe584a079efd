/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.impl.ConnectionShutdownException;
import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.client5.http.impl.DefaultConnectionKeepAliveStrategy;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.pool.PoolStats;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.metrics.MetricCollector;
import software.amazon.awssdk.metrics.NoOpMetricCollector;

/** A call: the lease of a connection, the request, the response, and the return of the connection. */
final class PooledRequest implements ExecutableHttpRequest {

    private static final HttpRequestExecutor EXECUTOR = new HttpRequestExecutor();

    private final PoolingHttpClientConnectionManager connections;
    private final HttpRoute route;
    private final Timeout acquisition;

    /** The maximum idle time of a connection; negative for none. */
    private final TimeValue idle;

    private final HttpExecuteRequest request;
    private final LeasedConnection connection;

    /** Of a call of the SDK's pipeline, if somebody collects them. */
    private final @Nullable MetricCollector metrics;

    PooledRequest(
            PoolingHttpClientConnectionManager connections,
            HttpRoute route,
            Timeout acquisition,
            TimeValue idle,
            HttpExecuteRequest request) {
        this.connections = connections;
        this.route = route;
        this.acquisition = acquisition;
        this.idle = idle;
        this.request = request;
        this.connection = new LeasedConnection(connections);
        MetricCollector collector = request.metricCollector().orElse(null);
        this.metrics = collector instanceof NoOpMetricCollector ? null : collector;
        if (metrics != null) {
            metrics.reportMetric(HttpMetric.HTTP_CLIENT_NAME, PooledHttpClient.NAME);
        }
    }

    @Override
    public HttpExecuteResponse call() throws IOException {
        ClassicHttpRequest sent = SentRequest.of(request, route.getTargetHost());
        try {
            return response(sent, leased());
        } catch (HttpException e) {
            connection.discard();
            throw new IOException(e.getMessage(), e);
        } catch (ConnectionShutdownException e) { // it went away under the call: by an abort, or with the client
            connection.discard();
            throw LeasedConnection.aborted(e);
        } catch (Throwable e) {
            connection.discard();
            throw e;
        }
    }

    private ConnectionEndpoint leased() throws IOException {
        long began = metrics == null ? 0 : System.nanoTime();
        ConnectionEndpoint endpoint = connection.lease(route, acquisition);
        if (metrics != null) {
            report(metrics, Duration.ofNanos(System.nanoTime() - began));
        }
        return endpoint;
    }

    private HttpExecuteResponse response(ClassicHttpRequest sent, ConnectionEndpoint endpoint)
            throws IOException, HttpException {
        HttpCoreContext context = HttpCoreContext.create();
        if (!endpoint.isConnected()) {
            connections.connect(endpoint, null, context);
        }
        ClassicHttpResponse received = endpoint.execute("", sent, EXECUTOR::execute, context);
        if (DefaultClientConnectionReuseStrategy.INSTANCE.keepAlive(sent, received, context)) {
            connection.mayBeKept(
                    kept(DefaultConnectionKeepAliveStrategy.INSTANCE.getKeepAliveDuration(received, context)));
        }
        return HttpExecuteResponse.builder()
                .response(head(received))
                .responseBody(body(received.getEntity()))
                .build();
    }

    /** What the server says, but not longer than the maximum idle time. */
    private TimeValue kept(@Nullable TimeValue said) {
        if (said == null || !TimeValue.isPositive(said)) {
            return idle;
        }
        return TimeValue.isPositive(idle) && idle.compareTo(said) < 0 ? idle : said;
    }

    private static SdkHttpResponse head(ClassicHttpResponse received) {
        SdkHttpResponse.Builder head =
                SdkHttpResponse.builder().statusCode(received.getCode()).statusText(received.getReasonPhrase());
        for (Header header : received.getHeaders()) {
            head.appendHeader(header.getName(), header.getValue());
        }
        return head.build();
    }

    private @Nullable AbortableInputStream body(@Nullable HttpEntity entity) throws IOException {
        if (entity == null) {
            connection.release();
            return null;
        }
        if (entity.getContentLength() == 0) {
            connection.release();
            return AbortableInputStream.create(new ByteArrayInputStream(new byte[0]));
        }
        InputStream content = entity.getContent();
        return AbortableInputStream.create(new PooledStream(content, connection), connection::discard);
    }

    private void report(MetricCollector collector, Duration acquired) {
        PoolStats stats = connections.getTotalStats();
        collector.reportMetric(HttpMetric.CONCURRENCY_ACQUIRE_DURATION, acquired);
        collector.reportMetric(HttpMetric.MAX_CONCURRENCY, stats.getMax());
        collector.reportMetric(HttpMetric.AVAILABLE_CONCURRENCY, stats.getAvailable());
        collector.reportMetric(HttpMetric.LEASED_CONCURRENCY, stats.getLeased());
        collector.reportMetric(HttpMetric.PENDING_CONCURRENCY_ACQUIRES, stats.getPending());
    }

    @Override
    public void abort() {
        connection.discard();
    }
}
