/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The slots of invocations: which batches have one, and which of those the executor has begun. Decides whether another may start.
 *
 * <p>No clock of its own. Belongs to the {@link Dispatcher}'s lock.
 */
final class Slots {

    private final Set<Task> queued = new LinkedHashSet<>();
    private final Map<Thread, Task> running = new HashMap<>();
    private int concurrency;
    private int active;
    private boolean stopping;

    Slots(int concurrency) {
        this.concurrency = concurrency;
    }

    void setConcurrency(int newConcurrency) {
        concurrency = newConcurrency;
    }

    /** Returns whether a batch may get a slot now. */
    boolean hasFree() {
        return !stopping && active < concurrency;
    }

    /** Returns how many batches have a slot. */
    int active() {
        return active;
    }

    /** A batch gets a slot; the caller hands it to the executor. */
    void occupy(Task task) {
        queued.add(task);
        active++;
    }

    /** Returns whether the batch may run on the calling thread: it was neither cancelled nor run before. */
    boolean begin(Task task, long now) {
        if (!queued.contains(task)) {
            return false;
        }
        task.within(running.put(Thread.currentThread(), task.begin(now, active)));
        return queued.remove(task);
    }

    /** Frees a slot. */
    void free() {
        active--;
    }

    /** The invocation that ended leaves the calling thread. */
    void leaveThread(Task task) {
        Task outer = task.outer();
        if (outer == null) {
            running.remove(Thread.currentThread());
        } else {
            running.put(Thread.currentThread(), outer);
        }
    }

    /** Returns whether an invocation runs on the thread. */
    boolean runsOn(Thread thread) {
        return running.containsKey(thread);
    }

    /**
     * An executor may run a task on the thread that hands it over. Batches that become due during that task are left to the
     * loop that started it, or each invocation would run inside of the one before, until the stack ends.
     *
     * @return the batches that the caller must start itself
     */
    List<Task> leftToOuterLoop(List<Task> due) {
        Task task = running.get(Thread.currentThread());
        List<Task> loop = task == null ? null : task.loop();
        if (loop == null) {
            return due;
        }
        loop.addAll(due);
        return List.of();
    }

    void interruptRunning() {
        running.keySet().forEach(Thread::interrupt);
    }

    /** Returns for how long the invocation runs that started first; zero if none runs. */
    Duration longestRunning(long now) {
        return longest(running.values().stream(), now);
    }

    /** Returns the same, or for how long the executor has not begun a batch, if that is longer. */
    Duration longestUnderWay(long now) {
        return longest(Stream.concat(running.values().stream(), queued.stream()), now);
    }

    private static Duration longest(Stream<Task> tasks, long now) {
        return tasks.map(task -> Duration.ofNanos(now - task.startedAt()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    // ---- end

    /** Returns whether the batch will not run: the executor had not begun it. It keeps its slot until {@link #free}. */
    boolean cancel(Task task) {
        return queued.remove(task);
    }

    /** From now on no batch gets a slot. */
    void stop() {
        stopping = true;
    }

    /** Cancels the batches that the executor has not begun, frees their slots and returns them. */
    List<Task> cancelQueued() {
        List<Task> cancelled = new ArrayList<>(queued);
        active -= cancelled.size();
        queued.clear();
        return cancelled;
    }
}
