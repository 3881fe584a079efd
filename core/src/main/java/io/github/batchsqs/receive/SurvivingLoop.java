/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.support.EngineStage;
import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Runs a loop of the engine again and again until the container closes, whatever the loop throws, with a pause after each
 * failure that grows while failures follow one another.
 *
 * <p>Each kind of failure is logged once with its stack trace, and then at most once a minute with its number. An interrupt
 * that is not the container's is a failure like any other: user code on this thread may have been its target.
 */
final class SurvivingLoop implements Runnable {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ContainerThreads.class));
    private static final Backoff BACKOFF = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5));
    private static final long CALM_NANOS = Duration.ofMinutes(1).toNanos();

    private final String listener;
    private final String role;
    private final EngineThreads.Loop loop;
    private final ListenerEvents events;
    private final TimeSource time;
    private final CountDownLatch closed;
    private final Set<SurvivingLoop> ended;
    private final Map<Class<?>, Kind> kinds = new HashMap<>();
    private int failuresInARow;
    private long lastFailure;

    /** How often a kind of failure happened, and when it was logged last. */
    private static final class Kind {
        long failures;
        long loggedAt;
    }

    /**
     * Creates the loop.
     *
     * @param closed is open while the container runs
     * @param ended takes this loop if it ends although the container runs
     */
    SurvivingLoop(
            String listener,
            String role,
            EngineThreads.Loop loop,
            ListenerEvents events,
            TimeSource time,
            CountDownLatch closed,
            Set<SurvivingLoop> ended) {
        this.listener = listener;
        this.role = role;
        this.loop = loop;
        this.events = events;
        this.time = time;
        this.closed = closed;
        this.ended = ended;
    }

    String role() {
        return role;
    }

    @Override
    public void run() {
        try {
            boolean goesOn = true;
            while (goesOn && closed.getCount() > 0) {
                goesOn = runOnce();
            }
        } finally {
            if (closed.getCount() > 0) {
                ended.add(this);
            }
        }
    }

    /** Returns whether the loop is to run again: one that returned by itself is over. */
    private boolean runOnce() {
        try {
            loop.run();
            return false;
        } catch (Throwable e) { // nothing that a timer calls may end it
            if (closed.getCount() > 0) {
                failed(e);
            }
            return true;
        }
    }

    private void failed(Throwable failure) {
        long now = time.nanos();
        failuresInARow = now - lastFailure > CALM_NANOS ? 1 : failuresInARow + 1;
        lastFailure = now;
        try {
            log(failure, now);
            events.unexpected(EngineStage.TIMER.text(), failure);
        } catch (Throwable e) { // events that are not guarded
            log.warn("Listener {}: its ListenerEvents threw", listener, e);
        }
        try {
            long delay =
                    BACKOFF.delay(failuresInARow, ThreadLocalRandom.current()).toNanos();
            boolean ignored = closed.await(delay, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return; // the loop's condition says whether it was by the close
        }
    }

    private void log(Throwable failure, long now) {
        Kind kind = kinds.computeIfAbsent(failure.getClass(), type -> new Kind());
        kind.failures++;
        boolean first = kind.failures == 1;
        if (first || now - kind.loggedAt >= CALM_NANOS) {
            kind.loggedAt = now;
            @Nullable Throwable trace = first ? failure : null;
            log.error(
                    "Listener {}: the timer {} failed with {}, {} times until now; it goes on",
                    listener,
                    role,
                    failure.getClass().getName(),
                    kind.failures,
                    trace);
        }
    }
}
