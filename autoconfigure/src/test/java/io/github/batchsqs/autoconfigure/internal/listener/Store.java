/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.receive.ListenerContainer;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * A bean that listeners use, of the phase that every lifecycle bean has by default, the highest. When it stops, and when it
 * is destroyed, it records the state of a listener.
 */
class Store implements SmartLifecycle, DisposableBean {

    private final Queue<String> stops;
    private volatile boolean running;
    volatile @Nullable ListenerContainer watched;

    Store(Queue<String> stops) {
        this.stops = stops;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        record("the stop");
    }

    @Override
    public void destroy() {
        record("the end");
    }

    private void record(String what) {
        ListenerContainer container = Objects.requireNonNull(watched);
        stops.add(what + " of the store, with " + container.options().id() + " " + container.state());
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
