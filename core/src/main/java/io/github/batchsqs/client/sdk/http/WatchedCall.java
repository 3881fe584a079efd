/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import io.github.batchsqs.support.Check;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.http.ExecutableHttpRequest;

/** A call in flight. It ends once: by itself, or because it is late. Safe for use by any thread. */
final class WatchedCall {

    private enum State {
        IN_FLIGHT,
        ENDED,
        IDLE_TOO_LONG,
        TOO_LONG
    }

    private final DeadlineWatch watch;
    private final ExecutableHttpRequest request;
    private final long began;
    private final AtomicReference<State> state = new AtomicReference<>(State.IN_FLIGHT);
    private volatile long progressed;

    WatchedCall(DeadlineWatch watch, ExecutableHttpRequest request, long now) {
        this.watch = watch;
        this.request = request;
        this.began = now;
        this.progressed = now;
    }

    /** A byte of the response has come, or a part of the request has gone. */
    void progressed() {
        progressed = watch.nanos();
    }

    /** The call has ended by itself; nothing happens if it has ended before. */
    void end() {
        if (state.compareAndSet(State.IN_FLIGHT, State.ENDED)) {
            watch.ended(this);
        }
    }

    /** Ends the call if it is late. */
    void endIfLate(long now, long idle, long total) {
        State late = now - began >= total ? State.TOO_LONG : now - progressed >= idle ? State.IDLE_TOO_LONG : null;
        if (late != null && state.compareAndSet(State.IN_FLIGHT, late)) {
            watch.ended(this);
            DeadlineThreads.abort(request::abort);
        }
    }

    /**
     * Ends the call by a failure. Returns what it failed with: the timeout, if that had ended it, with the failure as its cause.
     * Throws a failure that is unchecked.
     */
    IOException failed(Throwable failure) {
        end();
        String late = switch (state.get()) {
            case IN_FLIGHT, ENDED -> null;
            case IDLE_TOO_LONG -> "No byte was sent or received for " + Check.text(watch.idle());
            case TOO_LONG -> "The response was not complete after " + Check.text(watch.total());
        };
        if (late != null) {
            var timeout = new SocketTimeoutException(late);
            timeout.initCause(failure);
            return timeout;
        }
        return switch (failure) {
            case IOException exception -> exception;
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            default -> new IOException(failure);
        };
    }
}
