/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.internal.support.DaemonThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * The calls in flight, and the thread that ends those that are late. A timeout on each read would cost more: its timer costs more
 * CPU time than the read. It is a platform thread, so that computing virtual threads do not keep it.
 */
final class CallWatch {

    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(200);

    private final Set<CallDeadline> calls = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final long tick;
    private final LongConsumer tend;

    private CallWatch(long longest, LongConsumer tend) {
        this.tick = Math.clamp(longest, TimeUnit.MILLISECONDS.toNanos(5), TICK);
        this.tend = tend;
    }

    /**
     * Starts a watch, which ends with {@link #close}.
     *
     * @param longest the longest time between two looks, in nanoseconds
     * @param tend called at each look
     */
    static CallWatch start(long longest, LongConsumer tend) {
        CallWatch watch = new CallWatch(longest, tend);
        DaemonThreads.start("batchsqs-http", watch::run);
        return watch;
    }

    void begin(CallDeadline call) {
        calls.add(call);
    }

    void end(CallDeadline call) {
        calls.remove(call);
    }

    private void run() {
        long looked = System.nanoTime();
        boolean open = true;
        while (open) {
            try {
                open = !closed.await(tick, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                open = false; // nobody but the end of the process
            }
            long now = System.nanoTime();
            // After a standstill of the process there may be responses that no thread has read yet: the next look
            // counts.
            if (now - looked < 4 * tick) {
                for (CallDeadline call : calls) {
                    call.endIfLate(now);
                }
                tend.accept(now);
            }
            looked = now;
        }
    }

    /** Ends the thread, and the calls in flight. */
    void close() {
        closed.countDown();
        calls.forEach(CallDeadline::abort);
    }
}
