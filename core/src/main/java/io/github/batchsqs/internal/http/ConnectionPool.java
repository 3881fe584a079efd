/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.internal.sdk.NotSentException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Locked;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The connections that no call uses, and the places of those in use. The one that was used last is used next. */
final class ConnectionPool {

    private final int most;
    private final long idle;
    private final ReentrantLock lock = new EngineLock();
    private final Condition room = lock.newCondition();
    private final ArrayDeque<HttpConnection> free = new ArrayDeque<>();
    private int places;
    private boolean closed;

    /**
     * Creates an empty pool.
     *
     * @param most the most connections at once, in use and free
     * @param idle how long a free one is kept, in nanoseconds
     */
    ConnectionPool(int most, long idle) {
        this.most = most;
        this.idle = idle;
    }

    /**
     * Takes a connection, or a place for one. A free connection to somewhere else is closed: as a rule all calls go to one host.
     *
     * @return the connection; {@code null} if the caller is to open one in its place
     */
    @Nullable
    HttpConnection take(CallDeadline call, Route route) throws InterruptedIOException {
        long nanos = call.nanosLeft();
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
                    throw new IllegalStateException(
                            "The HTTP client is closed", new NotSentException("There is no connection any more", null));
                }
                if (places < most) {
                    places++;
                    return null;
                }
                if (left <= 0) {
                    throw new NotSentException(
                            "No connection was free for " + Check.text(Duration.ofNanos(nanos)), null);
                }
                left = room.awaitNanos(left);
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
        long now = System.nanoTime();
        for (HttpConnection last = free.pollLast(); last != null; last = free.pollLast()) {
            if (last.route().equals(route) && last.mayBeUsed(now)) {
                return last;
            }
            places--;
            stale.add(last);
        }
        return null;
    }

    /** Ends waits whose calls were aborted. */
    void wake() {
        Locked.run(lock, room::signalAll);
    }

    /** Gives a connection back for the next call. */
    void giveBack(HttpConnection connection) {
        boolean kept = Locked.get(lock, () -> {
            room.signal();
            return !closed && free.add(connection);
        });
        if (!kept) {
            giveBackPlace();
            connection.close();
        }
    }

    /** Gives the place of a connection back that is closed, or was never opened. */
    void giveBackPlace() {
        Locked.run(lock, () -> {
            places--;
            room.signal();
        });
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
            places -= ended.size();
            if (!ended.isEmpty() || forGood) {
                room.signalAll();
            }
        });
        ended.forEach(HttpConnection::close);
    }
}
