/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** The virtual threads of the store: {@code batchsqs-s3-<role>-<n>}. */
final class S3Threads {

    private final ThreadFactory calls = factory("call");
    private final ThreadFactory deletes = factory("delete");

    private static ThreadFactory factory(String role) {
        return Thread.ofVirtual().name("batchsqs-s3-" + role + "-", 1).factory();
    }

    /** Starts the thread that deletes objects. */
    void startDeletes(Runnable loop) {
        deletes.newThread(loop).start();
    }

    /**
     * Runs tasks side by side and waits until all have ended; one alone runs on the calling thread. Tasks do not throw. When the
     * calling thread is interrupted, so are they, and the wait goes on until they have ended.
     */
    void run(List<? extends Task> tasks) throws InterruptedException {
        if (tasks.size() == 1) {
            tasks.getFirst().run();
            return;
        }
        List<Running> running = new ArrayList<>(tasks.size());
        InterruptedException interrupted;
        try {
            for (Task task : tasks) {
                Running each = new Running(task);
                Thread thread = calls.newThread(each);
                each.thread = thread;
                thread.start();
                running.add(each);
            }
        } finally {
            interrupted = await(running);
        }
        if (interrupted != null) {
            throw interrupted;
        }
    }

    private static @Nullable InterruptedException await(List<Running> running) {
        InterruptedException interrupted = null;
        for (Running each : running) {
            Thread thread = each.thread;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = e;
                    running.forEach(other -> other.thread.interrupt());
                }
            }
        }
        return interrupted;
    }

    /** A task that may be interrupted. */
    @FunctionalInterface
    interface Task {
        void run() throws InterruptedException;
    }

    private static final class Running implements Runnable {

        private final Task task;
        private Thread thread = Thread.currentThread();

        Running(Task task) {
            this.task = task;
        }

        @Override
        public void run() {
            try {
                task.run();
            } catch (InterruptedException e) {
                // The thread that waits for this one was interrupted, and reports it.
            }
        }
    }
}
