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

    private static final int GROUPS = 100;

    private final EventExecutor loop;
    private final SimulatedQueue queue;
    private final byte[] body;
    private final long intervalNanos;
    private final long startedAt = System.nanoTime();
    private final long messages;
    private long done;

    Trickle(EventExecutor loop, SimulatedQueue queue, byte[] body, long intervalNanos, long messages) {
        this.loop = loop;
        this.queue = queue;
        this.body = body;
        this.intervalNanos = intervalNanos;
        this.messages = messages;
    }

    @Override
    public void run() {
        while (done < messages && System.nanoTime() - startedAt >= done * intervalNanos) {
            byte[] stamped = body.clone();
            byte[] micros = Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()))
                    .getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(micros, 0, stamped, 0, micros.length);
            queue.fill(1, stamped, GROUPS, System.currentTimeMillis());
            done++;
        }
        queue.serve(System.currentTimeMillis());
        if (done < messages) {
            long wait = Math.max(0, startedAt + done * intervalNanos - System.nanoTime());
            Future<?> unused = loop.schedule(this, wait, TimeUnit.NANOSECONDS);
        }
    }
}
