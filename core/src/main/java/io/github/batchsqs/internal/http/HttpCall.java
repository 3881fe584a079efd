/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.internal.sdk.NotSentException;
import io.github.batchsqs.internal.support.Check;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.metrics.MetricCollector;
import software.amazon.awssdk.metrics.NoOpMetricCollector;

/**
 * One call, from the wait for a connection to the end of the response's body, with one deadline over all of it.
 *
 * <p>Its connection goes back once: for the next call, or closed. Its methods belong to the call's thread, apart from {@link
 * #abort} and {@link #endIfLate}, which any thread may use.
 */
final class HttpCall implements ExecutableHttpRequest {

    /** Bytes on a slow line extend the deadline, so that drops of them do not. */
    private static final int SLOWEST = 64 << 10;

    private static final long MOST_EXTENSION = TimeUnit.MINUTES.toNanos(2);

    private enum State {
        GOING_ON,
        ENDED,
        ABORTED,
        LATE
    }

    private final PooledHttpClient client;
    private final HttpExecuteRequest request;
    private final Route route;

    /** How long the call may last, in nanoseconds; {@link Long#MAX_VALUE} for no limit. */
    private final long limit;

    private final AtomicReference<State> state = new AtomicReference<>(State.GOING_ON);
    private volatile long began = System.nanoTime();
    private volatile @Nullable SocketChannel channel;
    private volatile long extension;
    private boolean holdsPlace;
    private boolean sending;
    private @Nullable HttpConnection connection;
    private long keptByServer;
    private boolean persistent;
    private int unextended;

    HttpCall(PooledHttpClient client, HttpExecuteRequest request, Route route, Duration limit) {
        this.client = client;
        this.request = request;
        this.route = route;
        this.limit = limit.isPositive() ? limit.toNanos() : Long.MAX_VALUE;
    }

    @Override
    public HttpExecuteResponse call() throws IOException {
        began = System.nanoTime();
        if (aborted()) {
            throw abortedException();
        }
        client.watch().begin(this);
        boolean failed = true;
        try {
            HttpExecuteResponse response = exchange();
            failed = false;
            return response;
        } catch (IOException e) {
            throw failure(e);
        } finally {
            if (failed) {
                discard();
            }
        }
    }

    private HttpExecuteResponse exchange() throws IOException {
        HttpConnection used = connection();
        connection = used;
        RequestWriter writer = new RequestWriter(request, route, used);
        extension = writer.length() / SLOWEST * TimeUnit.SECONDS.toNanos(1);
        sending = true;
        writer.write();
        ResponseHead head = ResponseHead.read(used);
        persistent = head.persistent();
        keptByServer = head.kept();
        long length = head.length();
        var response = HttpExecuteResponse.builder().response(head.response());
        if (length == 0) {
            ended(true);
            boolean none = head.response().firstMatchingHeader("Content-Length").isEmpty();
            return none
                    ? response.build()
                    : response.responseBody(AbortableInputStream.create(new ByteArrayInputStream(new byte[0])))
                            .build();
        }
        return response.responseBody(AbortableInputStream.create(new ResponseStream(this, used, length), this::giveUp))
                .build();
    }

    private HttpConnection connection() throws IOException {
        MetricCollector metrics = request.metricCollector().orElse(null);
        HttpConnection pooled = client.pool().take(this, route, Math.min(nanosLeft(), client.acquisition()));
        holdsPlace = true;
        if (metrics != null && !(metrics instanceof NoOpMetricCollector)) {
            report(metrics);
        }
        if (pooled == null) {
            return client.opener().open(this, route);
        }
        connection = pooled;
        uses(pooled.channel());
        return pooled;
    }

    private void report(MetricCollector collector) {
        ConnectionPool.Numbers numbers = client.pool().numbers();
        collector.reportMetric(HttpMetric.HTTP_CLIENT_NAME, PooledHttpClient.NAME);
        collector.reportMetric(HttpMetric.CONCURRENCY_ACQUIRE_DURATION, Duration.ofNanos(System.nanoTime() - began));
        collector.reportMetric(HttpMetric.MAX_CONCURRENCY, client.most());
        collector.reportMetric(HttpMetric.AVAILABLE_CONCURRENCY, numbers.available());
        collector.reportMetric(HttpMetric.LEASED_CONCURRENCY, numbers.leased());
        collector.reportMetric(HttpMetric.PENDING_CONCURRENCY_ACQUIRES, numbers.pending());
    }

    /** Takes a channel over: an abort closes it from now on. */
    void uses(SocketChannel used) throws IOException {
        channel = used;
        if (state.get() != State.GOING_ON) {
            HttpConnection.close(used);
            throw abortedException();
        }
    }

    /** Throws the failure if the call is over, so that nothing else is tried. */
    void requireGoingOn(IOException failure) throws IOException {
        if (state.get() != State.GOING_ON || Thread.currentThread().isInterrupted()) {
            throw failure;
        }
    }

    /** Returns the time until the deadline, at least a nanosecond. */
    long nanosLeft() {
        return limit == Long.MAX_VALUE ? limit : Math.max(1, limit + extension - (System.nanoTime() - began));
    }

    /** So many bytes of the response have come. */
    void received(int bytes) {
        unextended += bytes;
        if (unextended >= SLOWEST) {
            extension = Math.min(MOST_EXTENSION, extension + unextended / SLOWEST * TimeUnit.SECONDS.toNanos(1));
            unextended %= SLOWEST;
        }
    }

    /** The body was read to its end. */
    void ended(boolean whole) {
        HttpConnection used = connection;
        if (whole && persistent && used != null && state.compareAndSet(State.GOING_ON, State.ENDED)) {
            client.watch().end(this);
            channel = null;
            connection = null;
            holdsPlace = false;
            used.becomeIdle(System.nanoTime(), keptByServer);
            client.pool().giveBack(used);
        } else {
            discard();
        }
    }

    /** Closes the connection, unless it went back before. */
    void discard() {
        boolean unused = state.compareAndSet(State.GOING_ON, State.ENDED);
        client.watch().end(this);
        SocketChannel open = channel;
        if (open != null) {
            HttpConnection.close(open);
        }
        connection = null;
        if (holdsPlace) {
            holdsPlace = false;
            client.pool().giveBackPlace();
        }
    }

    /** Returns what a failure is: the timeout, if the call was late, or the abort. */
    IOException failure(IOException failure) {
        return switch (state.get()) {
            case GOING_ON, ENDED -> failure;
            case ABORTED -> {
                InterruptedIOException aborted = abortedException();
                aborted.initCause(failure);
                yield aborted;
            }
            case LATE -> {
                Duration lasted = Duration.ofMillis((System.nanoTime() - began) / 1_000_000);
                if (!sending) {
                    yield new NotSentException("There was no connection within " + Check.text(lasted), failure);
                }
                var timeout = new SocketTimeoutException("The response was not complete after " + Check.text(lasted));
                timeout.initCause(failure);
                yield timeout;
            }
        };
    }

    static InterruptedIOException abortedException() {
        return new InterruptedIOException("The call was aborted");
    }

    boolean aborted() {
        return state.get() == State.ABORTED;
    }

    /** Ends the call if its deadline has passed; the watch calls it. */
    void endIfLate(long now) {
        if (limit != Long.MAX_VALUE && now - began - extension >= limit) {
            end(State.LATE);
        }
    }

    @Override
    public void abort() {
        end(State.ABORTED);
    }

    /** Nobody reads the rest of the response. */
    private void giveUp() {
        abort();
        discard();
    }

    private void end(State as) {
        if (state.compareAndSet(State.GOING_ON, as)) {
            SocketChannel open = channel;
            if (open != null) {
                HttpConnection.close(open);
            } else {
                client.pool().wake();
            }
        }
    }
}
