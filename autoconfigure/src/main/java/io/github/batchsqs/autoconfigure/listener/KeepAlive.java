/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an application running whose only work is listening. Virtual threads are daemons, so without this one the JVM of an
 * application without a web server would end as soon as it has started.
 *
 * <p>Its thread runs while a lifecycle of the listeners runs and there is a listener. Safe for use by any thread.
 */
final class KeepAlive {

    private final ReentrantLock lock = new ReentrantLock();
    private int lifecycles;
    private int listeners;
    private @Nullable CountDownLatch end;

    /** A lifecycle runs from now on. */
    void started() {
        change(1, 0);
    }

    /** A lifecycle has stopped. */
    void stopped() {
        change(-1, 0);
    }

    /** There is one more listener. */
    void added() {
        change(0, 1);
    }

    /** A listener was removed. */
    void removed() {
        change(0, -1);
    }

    private void change(int lifecycle, int listener) {
        lock.lock();
        try {
            lifecycles += lifecycle;
            listeners += listener;
            boolean needed = lifecycles > 0 && listeners > 0;
            CountDownLatch running = end;
            if (needed && running == null) {
                end = begin();
            } else if (!needed && running != null) {
                running.countDown();
                end = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private static CountDownLatch begin() {
        var end = new CountDownLatch(1);
        Thread.ofPlatform().daemon(false).name("batchsqs-keep-alive").start(() -> await(end));
        return end;
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
