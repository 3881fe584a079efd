/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.netty.util.concurrent.EventExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Puts a message in whenever one is due. */
final class Trickle implements Runnable {

    private static final int DIGITS = 16;

    private final EventExecutor loop;
    private final SimulatedQueue queue;
    private final Body body;
    private final long intervalNanos;
    private final long startedAt = System.nanoTime();
    private final long messages;
    private long done;

    Trickle(EventExecutor loop, SimulatedQueue queue, Body body, long intervalNanos, long messages) {
        this.loop = loop;
        this.queue = queue;
        this.body = body;
        this.intervalNanos = intervalNanos;
        this.messages = messages;
    }

    /** The bodies of the messages; they may begin with the time of the monotonic clock, which all processes of the machine share. */
    static final class Body {
        private final byte[] bytes;
        private final boolean monotonic;
        private final int groups;

        Body(byte[] bytes, boolean monotonic, int groups) {
            this.bytes = bytes;
            this.monotonic = monotonic;
            this.groups = groups;
        }
    }

    /** Returns a body that begins with the microseconds of this moment. */
    static byte[] stamped(Body body) {
        long micros =
                body.monotonic ? System.nanoTime() / 1000 : ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        byte[] digits = ("0".repeat(DIGITS) + micros).getBytes(StandardCharsets.US_ASCII);
        byte[] stamped = body.bytes.clone();
        System.arraycopy(digits, digits.length - DIGITS, stamped, 0, DIGITS);
        return stamped;
    }

    @Override
    public void run() {
        while (done < messages && System.nanoTime() - startedAt >= done * intervalNanos) {
            queue.fill(1, stamped(body), body.groups, Queues.now());
            done++;
        }
        queue.serve(Queues.now());
        if (done < messages) {
            long wait = Math.max(0, startedAt + done * intervalNanos - System.nanoTime());
            Future<?> unused = loop.schedule(this, wait, TimeUnit.NANOSECONDS);
        }
    }
}
