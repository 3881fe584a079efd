/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.internal.sdk.NotSentException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.EngineLock;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The connections that no call uses, and the places of those in use. The one that was used last is used next. */
final class ConnectionPool {

    private final int most;
    private final long idle;
    private final long longestWait;
    private final ReentrantLock lock = new EngineLock();
    private final Condition room = lock.newCondition();
    private final Map<Route, ArrayDeque<HttpConnection>> free = new HashMap<>();
    private int places;
    private int waiting;
    private boolean closed;

    /**
     * Creates an empty pool.
     *
     * @param most the most connections at once, in use and free
     * @param idle how long a free one is kept, in nanoseconds
     * @param longestWait how long a call waits for one, in nanoseconds
     */
    ConnectionPool(int most, long idle, long longestWait) {
        this.most = most;
        this.idle = idle;
        this.longestWait = longestWait;
    }

    /** The state of the pool, for metrics. */
    record Numbers(int most, int leased, int available, int pending) {}

    Numbers numbers() {
        lock.lock();
        try {
            int available = free.values().stream().mapToInt(ArrayDeque::size).sum();
            return new Numbers(most, places - available, available, waiting);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a connection, or a place for one.
     *
     * @return the connection; {@code null} if the caller is to open one in its place
     */
    @Nullable
    HttpConnection take(CallDeadline call, Route route) throws InterruptedIOException {
        long nanos = Math.min(call.nanosLeft(), longestWait);
        List<HttpConnection> stale = new ArrayList<>(0);
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            throw interrupted();
        }
        try {
            long left = nanos;
            while (true) {
                call.requireNotAborted();
                HttpConnection taken = takeFree(route, stale);
                if (taken != null) {
                    return taken;
                }
                if (closed) {
                    throw new IllegalStateException("The HTTP client is closed");
                }
                if (places < most || evict(stale)) {
                    places++;
                    return null;
                }
                if (left <= 0) {
                    throw new NotSentException(
                            "No connection was free for " + Check.text(Duration.ofNanos(nanos)), null);
                }
                waiting++;
                try {
                    left = room.awaitNanos(left);
                } finally {
                    waiting--;
                }
            }
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            lock.unlock();
            stale.forEach(HttpConnection::close);
        }
    }

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("The wait for a connection was interrupted");
    }

    private @Nullable HttpConnection takeFree(Route route, List<HttpConnection> stale) {
        ArrayDeque<HttpConnection> all = free.get(route);
        if (all == null) {
            return null;
        }
        long now = System.nanoTime();
        for (HttpConnection last = all.pollLast(); last != null; last = all.pollLast()) {
            if (last.mayBeUsed(now)) {
                return last;
            }
            places--;
            stale.add(last);
        }
        return null;
    }

    /** Makes room by a free connection to somewhere else. */
    private boolean evict(List<HttpConnection> stale) {
        for (ArrayDeque<HttpConnection> each : free.values()) {
            HttpConnection oldest = each.pollFirst();
            if (oldest != null) {
                places--;
                stale.add(oldest);
                return true;
            }
        }
        return false;
    }

    /** Ends waits whose calls were aborted. */
    void wake() {
        lock.lock();
        try {
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Gives a connection back for the next call. */
    void giveBack(HttpConnection connection) {
        lock.lock();
        try {
            if (!closed && idle > 0) {
                free.computeIfAbsent(connection.route(), key -> new ArrayDeque<>())
                        .addLast(connection);
                room.signal();
                return;
            }
            places--;
            room.signal();
        } finally {
            lock.unlock();
        }
        connection.close();
    }

    /** Gives the place of a connection back that is closed, or was never opened. */
    void giveBackPlace() {
        lock.lock();
        try {
            places--;
            room.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Closes what was free for too long. */
    void closeIdle(long now) {
        List<HttpConnection> ended = new ArrayList<>(0);
        lock.lock();
        try {
            for (ArrayDeque<HttpConnection> each : free.values()) {
                each.removeIf(connection -> connection.isOver(now, idle) && ended.add(connection));
            }
            places -= ended.size();
        } finally {
            lock.unlock();
        }
        ended.forEach(HttpConnection::close);
    }

    /** Closes what is free; what is in use is closed when it comes back. */
    void close() {
        List<HttpConnection> all = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            free.values().forEach(all::addAll);
            free.clear();
            places -= all.size();
            room.signalAll();
        } finally {
            lock.unlock();
        }
        all.forEach(HttpConnection::close);
    }
}
