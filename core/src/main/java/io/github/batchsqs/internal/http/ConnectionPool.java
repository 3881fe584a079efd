/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.internal.sdk.NotSentException;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Locked;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The connections that no call uses. The one that was used last is used next. Their number is that of the calls, which callers limit. */
final class ConnectionPool {

    private final long idle;
    private final ReentrantLock lock = new EngineLock();
    private final ArrayDeque<HttpConnection> free = new ArrayDeque<>();
    private boolean closed;

    /**
     * Creates an empty pool.
     *
     * @param idle how long a free connection is kept, in nanoseconds
     */
    ConnectionPool(long idle) {
        this.idle = idle;
    }

    /**
     * Takes a connection. A free connection to somewhere else is closed: as a rule all calls go to one host.
     *
     * @return the connection; {@code null} if the caller is to open one
     */
    @Nullable
    HttpConnection take(Route route) {
        List<HttpConnection> stale = new ArrayList<>(0);
        HttpConnection taken = Locked.get(lock, () -> {
            if (closed) {
                throw new IllegalStateException(
                        "The HTTP client is closed", new NotSentException("There is no connection any more", null));
            }
            return takeFree(route, stale);
        });
        stale.forEach(HttpConnection::close);
        return taken;
    }

    private @Nullable HttpConnection takeFree(Route route, List<HttpConnection> stale) {
        long now = System.nanoTime();
        for (HttpConnection last = free.pollLast(); last != null; last = free.pollLast()) {
            if (last.route().equals(route) && last.mayBeUsed(now)) {
                return last;
            }
            stale.add(last);
        }
        return null;
    }

    /** Gives a connection back for the next call. */
    void giveBack(HttpConnection connection) {
        boolean kept = Locked.get(lock, () -> !closed && free.add(connection));
        if (!kept) {
            connection.close();
        }
    }

    /** Closes what was free for too long. */
    void closeIdle(long now) {
        closeFree(connection -> connection.isOver(now, idle), false);
    }

    /**
     * Closes what has been free since before this moment, because a call that began then had no response: a network that drops
     * packets without a word drops those of all connections, and each further call would find that out anew.
     */
    void closeIdleSince(long nanos) {
        closeFree(connection -> connection.isIdleSince(nanos), false);
    }

    /** Closes what is free; what is in use is closed when it comes back. */
    void close() {
        closeFree(connection -> true, true);
    }

    private void closeFree(Predicate<HttpConnection> which, boolean forGood) {
        List<HttpConnection> ended = new ArrayList<>(0);
        Locked.run(lock, () -> {
            closed |= forGood;
            free.removeIf(connection -> which.test(connection) && ended.add(connection));
        });
        ended.forEach(HttpConnection::close);
    }
}
