/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps an application running whose only work is listening. Virtual threads are daemons, so without this one the JVM of an
 * application without a web server would end as soon as it has started.
 *
 * <p>Its thread runs from the first listener until the application closes, whether there is a listener or not: an application
 * that replaces its only listener must not end in between. Safe for use by any thread.
 */
final class KeepAlive implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final CountDownLatch end = new CountDownLatch(1);
    private boolean running;

    /** Starts the thread, unless it runs already or the application has closed. */
    void begin() {
        lock.lock();
        try {
            if (!running && end.getCount() > 0) {
                Thread.ofPlatform().daemon(false).name("batchsqs-keep-alive").start(this::await);
                running = true;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread. It does not start again. */
    @Override
    public void close() {
        end.countDown();
    }

    private void await() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
