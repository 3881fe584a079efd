/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.jdbc.internal.JdbcThreads;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
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
    private final Duration shutdownTimeout;
    private final Runnable check;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    /**
     * @param shutdownTimeout how long a stop goes on sending
     * @param check fails in words if the application has nothing that sends
     */
    RelayLifecycle(JdbcOutbox outbox, Relay relay, Duration shutdownTimeout, Runnable check) {
        this.outbox = outbox;
        this.relay = relay;
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
        if (thread.get() == null) {
            prepare();
            relay.begin();
            thread.set(JdbcThreads.startPlatform("outbox", () -> relay.run(shutdownTimeout)));
        }
    }

    @Override
    public void stop() {
        Thread running = thread.getAndSet(null);
        if (running != null) {
            relay.end();
            awaitEnd(running);
            Relay.complete(relay.futures().removeIf(any -> true), Relay.STOPPED);
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
        return thread.get() != null;
    }

    /** Below that of the listeners and of the web server, whose threads send. */
    @Override
    public int getPhase() {
        return 0;
    }
}
