/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Hands batches to the executor, which may run a batch on the thread that hands it over, hold that thread up, or refuse the batch. Holds
 * no lock while it is in the executor.
 */
final class Starter {

    private final Dispatcher dispatcher;
    private final Executor executor;
    private final Executor starters;
    private final Invocation invocation;

    Starter(Dispatcher dispatcher, Executor executor, Executor starters, Invocation invocation) {
        this.dispatcher = dispatcher;
        this.executor = executor;
        this.starters = starters;
        this.invocation = invocation;
    }

    /** Starts each batch where it holds up no timer, no call and no other batch, whatever the executor does. */
    void startElsewhere(List<Task> due) {
        for (Task task : due) {
            List<Task> one = List.of(task);
            starters.execute(() -> start(one));
        }
    }

    /** Starts the batches, and those that become due while the executor runs them here or refuses some. */
    void start(List<Task> due) {
        List<Task> next = due;
        while (!next.isEmpty()) {
            List<Task> follow = new ArrayList<>(0);
            for (Task task : next) {
                execute(task, follow);
            }
            next = follow;
        }
    }

    /** Runs a batch, called by the executor. */
    void run(Task task) {
        if (!dispatcher.begin(task)) {
            return;
        }
        try {
            invocation.run(task.batch(), task.slotAt(), task.slots());
        } finally {
            startAfterThis(dispatcher.end(task));
        }
    }

    /**
     * Starts what an invocation leaves room for. A pool has that room only when the calling thread, which is the pool's, has
     * returned to it; an executor that waits for the room on this thread would wait for ever.
     */
    private void startAfterThis(List<Task> due) {
        if (starters.equals(Dispatcher.HERE)) {
            start(due);
        } else {
            startElsewhere(due);
        }
    }

    private void execute(Task task, List<Task> follow) {
        task.handOver(follow);
        try {
            executor.execute(task);
        } catch (Throwable e) { // the application's executor may throw anything
            if (dispatcher.cancel(task)) {
                invocation.refused(task.batch(), e);
                follow.addAll(dispatcher.free());
            } else {
                invocation.unexpected(e);
            }
        } finally {
            task.backFromExecutor();
        }
    }
}
