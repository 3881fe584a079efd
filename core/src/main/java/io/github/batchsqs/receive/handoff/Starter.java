/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.handoff;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Hands batches to the executor, and copes with whatever the executor does: it may run a batch on the thread that hands it
 * over, hold that thread up, refuse the batch, or throw although it runs it. Holds no lock while it is in the executor.
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
        for (Task task : toBeHandedOver(due)) {
            List<Task> one = List.of(task);
            try {
                starters.execute(() -> start(one));
            } catch (Throwable e) { // the batch has its slot, so it starts all the same
                invocation.unexpected(e);
                start(one);
            }
        }
    }

    /** Starts the batches, and those that become due while the executor runs them here or refuses some. */
    void start(List<Task> due) {
        List<Task> next = toBeHandedOver(due);
        while (!next.isEmpty()) {
            List<Task> follow = new ArrayList<>(0);
            int reached = 0;
            try {
                while (reached < next.size()) {
                    execute(next.get(reached++), follow);
                }
            } catch (Throwable e) { // the others keep their slots, and are handed over some time
                next.subList(reached, next.size()).forEach(Task::notHandedOver);
                follow.forEach(Task::notHandedOver);
                throw e;
            }
            next = follow;
        }
    }

    /** Marks batches that a thread hands over after others, so that nobody else does. */
    private static List<Task> toBeHandedOver(List<Task> tasks) {
        tasks.forEach(Task::toBeHandedOver);
        return tasks;
    }

    /** Runs a batch, called by the executor. */
    void run(Task task) {
        if (!begins(task)) {
            return;
        }
        try {
            invocation.run(task.batch(), task.slotAt(), task.slots());
        } finally {
            startAfterThis(dispatcher.end(task));
        }
    }

    /** If this throws, the batch keeps its slot, and is handed over again some time. */
    private boolean begins(Task task) {
        boolean known = false;
        try {
            boolean begins = dispatcher.begin(task);
            known = true;
            return begins;
        } finally {
            if (!known) {
                task.notBegun();
            }
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
            task.backFromExecutor();
            if (dispatcher.refusing()) {
                follow.addAll(toBeHandedOver(dispatcher.accepted()));
            }
        } catch (Throwable e) { // a poller must survive whatever an executor does
            task.backFromExecutor(); // first: when it is postponed, another thread may hand it over
            if (e instanceof RejectedExecutionException && dispatcher.postpone(task)) {
                invocation.postponed(task.batch(), e);
            } else if (dispatcher.cancel(task)) {
                try {
                    invocation.refused(task.batch(), e);
                } finally {
                    follow.addAll(toBeHandedOver(dispatcher.free()));
                }
            } else {
                invocation.unexpected(e);
            }
        }
    }
}
