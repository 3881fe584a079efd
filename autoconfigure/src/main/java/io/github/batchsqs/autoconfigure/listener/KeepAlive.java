/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import java.util.concurrent.CountDownLatch;

/**
 * Keeps an application running whose only work is listening. Virtual threads are daemons, so without this one the JVM of an
 * application without a web server would end as soon as it has started.
 */
final class KeepAlive implements AutoCloseable {

    private final CountDownLatch closed = new CountDownLatch(1);

    private KeepAlive() {}

    /** Starts the thread, which does nothing until {@link #close}. */
    static KeepAlive start() {
        var keepAlive = new KeepAlive();
        Thread.ofPlatform().daemon(false).name("batchsqs-keep-alive").start(keepAlive::await);
        return keepAlive;
    }

    private void await() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
