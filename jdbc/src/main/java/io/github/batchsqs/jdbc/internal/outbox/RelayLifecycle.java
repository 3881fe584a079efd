/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.jdbc.internal.JdbcThreads;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * Runs the relay between start and stop of the application: it starts before the listeners and stops behind them, so that what
 * handlers send is still relayed. The template is closed later.
 */
final class RelayLifecycle implements SmartLifecycle, SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(RelayLifecycle.class);

    /** How long a stop waits for the database beyond the time in which rows are sent. */
    private static final Duration FOR_DATABASE = Duration.ofSeconds(3);

    private final JdbcOutbox outbox;
    private final Relay relay;
    private final WaitingFutures futures;
    private final Duration shutdownTimeout;
    private final Runnable check;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread thread;

    /**
     * @param shutdownTimeout how long a stop goes on sending
     * @param check fails in words if the application has nothing that sends
     */
    RelayLifecycle(JdbcOutbox outbox, Relay relay, WaitingFutures futures, Duration shutdownTimeout, Runnable check) {
        this.outbox = outbox;
        this.relay = relay;
        this.futures = futures;
        this.shutdownTimeout = shutdownTimeout;
        this.check = check;
    }

    @Override
    public void afterSingletonsInstantiated() {
        prepare();
    }

    private void prepare() {
        check.run();
        outbox.prepare();
    }

    @Override
    public void start() {
        lock.lock();
        try {
            if (thread == null) {
                prepare();
                relay.begin();
                thread = JdbcThreads.startPlatform("outbox", () -> relay.run(shutdownTimeout));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        lock.lock();
        try {
            Thread running = thread;
            if (running != null) {
                thread = null;
                relay.end();
                awaitEnd(running);
                Relay.complete(futures.removeAll(), Relay.STOPPED);
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitEnd(Thread running) {
        try {
            if (!running.join(shutdownTimeout.plus(FOR_DATABASE))) {
                log.warn("The relay of the outbox did not stop in time, because the database does not respond");
                running.interrupt();
            }
        } catch (InterruptedException e) {
            running.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        lock.lock();
        try {
            return thread != null;
        } finally {
            lock.unlock();
        }
    }

    /** Below that of the listeners and of the web server, whose threads send. */
    @Override
    public int getPhase() {
        return 0;
    }
}
