/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import io.github.batchsqs.support.Check;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.io.LeaseRequest;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a call. It goes back once: for the next call, or closed. Its methods belong to the call's thread, apart from
 * {@link #discard}, which any thread may use.
 */
final class LeasedConnection {

    private static final String ABORTED = "The call was aborted";

    private final HttpClientConnectionManager connections;
    private final AtomicReference<@Nullable ConnectionEndpoint> endpoint = new AtomicReference<>();

    private volatile @Nullable LeaseRequest waiting;
    private volatile boolean discarded;

    /** For how long the next call may use it; {@code null} if none may. */
    private @Nullable TimeValue kept;

    LeasedConnection(HttpClientConnectionManager connections) {
        this.connections = connections;
    }

    /**
     * Waits for a connection of the pool.
     *
     * @throws InterruptedIOException if none is free in time, if the thread is interrupted, or if this was discarded
     */
    ConnectionEndpoint lease(HttpRoute route, Timeout atMost) throws IOException {
        LeaseRequest lease = connections.lease("", route, atMost, null);
        waiting = lease;
        try {
            requireWanted();
            ConnectionEndpoint leased = lease.get(atMost);
            endpoint.set(leased);
            requireWanted();
            return leased;
        } catch (Throwable failure) {
            giveBack(lease, failure);
            throw failed(failure, atMost);
        } finally {
            waiting = null;
        }
    }

    private void requireWanted() {
        if (discarded) {
            throw new CancellationException();
        }
    }

    /** The pool may have handed the connection over in the moment of the failure. */
    private void giveBack(LeaseRequest lease, Throwable failure) {
        boolean returned = failure instanceof ExecutionException; // by the pool itself
        if (!lease.cancel() && endpoint.get() == null && !returned) {
            try {
                endpoint.set(lease.get(Timeout.ONE_MILLISECOND));
            } catch (InterruptedException | ExecutionException | TimeoutException | RuntimeException e) {
                return; // there is none
            }
        }
        discard();
    }

    private static IOException failed(Throwable failure, Timeout atMost) {
        String message = switch (failure) {
            case InterruptedException e -> "The wait for a connection was interrupted";
            case CancellationException e -> ABORTED;
            case TimeoutException e -> noneFree(atMost);
            case ExecutionException e when e.getCause() instanceof TimeoutException -> noneFree(atMost);
            case Error e -> throw e;
            default -> "No connection could be had: " + failure.getMessage();
        };
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return interrupted(message, failure);
    }

    /** Returns the failure of a call that was aborted, or whose client was closed under it. */
    static IOException aborted(Throwable cause) {
        return interrupted(ABORTED, cause);
    }

    private static IOException interrupted(String message, Throwable cause) {
        InterruptedIOException interrupted = new InterruptedIOException(message);
        interrupted.initCause(cause);
        return interrupted;
    }

    private static String noneFree(Timeout atMost) {
        return "No connection was free for " + Check.text(atMost.toDuration());
    }

    /** The response allows another call on this connection. */
    void mayBeKept(TimeValue duration) {
        kept = duration;
    }

    /** The response was read to its end. */
    void release() {
        TimeValue duration = kept;
        if (duration == null) {
            discard();
            return;
        }
        ConnectionEndpoint held = endpoint.getAndSet(null);
        if (held != null) {
            connections.release(held, null, duration);
        }
    }

    /** Returns whether it has not gone back yet. */
    boolean isHeld() {
        return endpoint.get() != null;
    }

    /** Closes the connection, unless it went back before; ends the wait for it. */
    void discard() {
        discarded = true;
        LeaseRequest lease = waiting;
        if (lease != null) {
            boolean unused = lease.cancel();
        }
        ConnectionEndpoint held = endpoint.getAndSet(null);
        if (held != null) {
            try {
                held.close(CloseMode.IMMEDIATE);
            } finally {
                connections.release(held, null, TimeValue.ZERO_MILLISECONDS);
            }
        }
    }
}
