/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.controls;

import io.github.batchsqs.sample.settings.SampleProperties;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/** Cuts the embedded server off for some seconds. */
@Component
public class Outage {

    private static final String NO_WIRE = "Only the embedded server can be cut off, and this is another one";

    private final @Nullable Wire wire;
    private final Duration length;
    private final TaskScheduler scheduler;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Future<?> end;

    Outage(ObjectProvider<Wire> wire, SampleProperties properties, TaskScheduler scheduler) {
        this.wire = wire.getIfAvailable();
        this.length = properties.outage();
        this.scheduler = scheduler;
    }

    /** Why there can be none; {@code null} if there can be one. */
    public @Nullable String impossible() {
        return wire == null ? NO_WIRE : null;
    }

    /** How long one lasts. */
    public Duration length() {
        return length;
    }

    /** Whether the server is cut off now. */
    public boolean running() {
        lock.lock();
        try {
            return end != null && !end.isDone();
        } finally {
            lock.unlock();
        }
    }

    /** Cuts it off now, and lets it answer again after its length. */
    void begin() {
        lock.lock();
        try {
            Wire toCut = wire;
            if (toCut == null) {
                throw new NotNowException(NO_WIRE);
            }
            if (running()) {
                throw new NotNowException("The server is cut off already");
            }
            toCut.cut();
            end = scheduler.schedule(toCut::mend, Instant.now().plus(length));
        } finally {
            lock.unlock();
        }
    }
}
