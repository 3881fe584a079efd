/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.ExecutableHttpRequest;

/** The calls in flight, and the thread that ends those that are late. Safe for use by any thread. */
final class DeadlineWatch implements AutoCloseable {

    static final Duration SHORTEST = Duration.ofMillis(10);

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(DeadlineHttpClient.class));
    private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

    private final Duration idle;
    private final Duration total;
    private final long tick;
    private final TimeSource time;
    private final Consumer<Runnable> threads;
    private final Set<WatchedCall> calls = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** When the thread looked last. */
    private long looked;

    private boolean skipped;

    /**
     * Creates a watch without a thread.
     *
     * @param threads starts the thread, at the first call
     */
    DeadlineWatch(Duration idle, Duration total, TimeSource time, Consumer<Runnable> threads) {
        this.idle = idle;
        this.total = total;
        this.tick = Math.min(idle.toNanos() / 4, LONGEST_TICK.toNanos());
        this.time = time;
        this.threads = threads;
        this.looked = time.nanos();
    }

    Duration idle() {
        return idle;
    }

    Duration total() {
        return total;
    }

    long nanos() {
        return time.nanos();
    }

    WatchedCall begin(ExecutableHttpRequest request) {
        WatchedCall call = new WatchedCall(this, request, nanos());
        calls.add(call);
        if (!started.get() && started.compareAndSet(false, true)) {
            start(call);
        }
        return call;
    }

    private void start(WatchedCall first) {
        try {
            threads.accept(this::run);
        } catch (Throwable noThread) { // for lack of memory, for example: no call without a deadline, and the next one
            // tries again
            started.set(false);
            first.end();
            throw noThread;
        }
    }

    void ended(WatchedCall call) {
        calls.remove(call);
    }

    /** Returns the number of calls that are watched. */
    int inFlight() {
        return calls.size();
    }

    /** Ends each call that is late at that time. */
    void endLate(long now) {
        for (WatchedCall call : calls) {
            try {
                call.endIfLate(now, idle.toNanos(), total.toNanos());
            } catch (Throwable e) { // for lack of memory, for example; the others are looked at all the same
                log.error("A late HTTP call could not be ended", e);
            }
        }
    }

    /**
     * Ends the calls that are late, unless the look itself is: after a standstill of the process, responses may be there that no
     * thread has read yet. The next look counts again.
     */
    void look() {
        long now = nanos();
        boolean late = !skipped && now - looked > 2 * tick;
        looked = now;
        skipped = late;
        if (!late) {
            endLate(now);
        }
    }

    private void run() {
        looked = nanos();
        boolean open = true;
        while (open) {
            try {
                open = !closed.await(tick, TimeUnit.NANOSECONDS);
                look();
            } catch (Throwable e) { // nothing ends this thread but the close
                log.error("A look at the HTTP calls in flight failed", e);
            }
        }
    }

    /** Ends the thread. Calls in flight go on; the close of their client ends them. */
    @Override
    public void close() {
        closed.countDown();
    }
}
