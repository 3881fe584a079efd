/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SafeLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.LoggerFactory;

/** The end of a run, reached once, and the wait for it. Safe for use by any thread. */
final class RunEnd {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ListenerContainer.class));

    private final String listener;
    private final CompletableFuture<Void> reached = new CompletableFuture<>();

    RunEnd(String listener) {
        this.listener = listener;
    }

    void reach() {
        reached.complete(null);
    }

    CompletableFuture<Void> future() {
        return reached;
    }

    /** Waits for the end, at most so long. An interrupt does not cut the wait short, and is kept. */
    void await(Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        boolean interrupted = false;
        boolean over = false;
        while (!over) {
            try {
                reached.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                over = true;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException e) {
                log.error(
                        "Listener {}: its stop has not ended after {}; it goes on by itself",
                        listener,
                        Check.text(bound));
                over = true;
            } catch (ExecutionException e) {
                throw new IllegalStateException("The end of a run does not fail", e);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
