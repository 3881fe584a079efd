/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.handoff;

import io.github.batchsqs.receive.delivery.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The slots of invocations: which batches have one, which of those the executor has begun, and which it refused for now.
 * Decides whether another may start.
 *
 * <p>No clock of its own. Belongs to the {@link Dispatcher}'s lock.
 */
final class Slots {

    private final Set<Task> queued = new LinkedHashSet<>();
    private final Map<Thread, Task> running = new HashMap<>();
    private final Refusals<Task> refusals = new Refusals<>(Comparator.comparingLong(Task::number));
    private int concurrency;
    private int active;
    private boolean stopping;

    /** Whether there are refusals; for those who hand batches over, and have not the lock. */
    private volatile boolean refusing;

    Slots(int concurrency) {
        this.concurrency = concurrency;
    }

    void setConcurrency(int newConcurrency) {
        concurrency = newConcurrency;
    }

    /** Returns whether a batch may get a slot now. */
    boolean hasFree() {
        return !stopping && active < concurrency && refusals.isEmpty();
    }

    /** Returns how many batches have a slot. */
    int active() {
        return active;
    }

    /** A batch gets a slot; the caller hands it to the executor. */
    void occupy(Task task) {
        queued.add(task); // first: it may throw
        active++;
    }

    /** Returns whether the batch may run on the calling thread: it was neither cancelled nor run before. */
    boolean begin(Task task, long now) {
        if (!queued.contains(task)) {
            return false;
        }
        task.within(running.put(Thread.currentThread(), task.begin(now, active))); // first: it may throw
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
        due.forEach(Task::toBeHandedOver);
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

    /** Passes on each batch that has a slot. */
    void forEachBatch(Consumer<List<Delivery>> action) {
        queued.forEach(task -> action.accept(task.batch()));
        for (Task task : running.values()) {
            for (Task each = task; each != null; each = each.outer()) {
                action.accept(each.batch());
            }
        }
    }

    /**
     * Returns the batches that got their slots by then, and that neither the executor has, nor a thread that hands them over,
     * nor the refusals.
     */
    List<Task> notHandedOver(long since) {
        return queued.stream()
                .filter(task -> !task.isHandedOver() && task.startedAt() - since <= 0 && !refusals.contains(task))
                .toList();
    }

    // ---- refusals

    boolean refusing() {
        return refusing;
    }

    /** Returns whether the batch, which the executor refused, keeps its slot, to be handed over again. */
    boolean postpone(Task task, long now) {
        boolean postponed = !stopping && queued.contains(task) && refusals.postpone(task, task.startedAt(), now);
        if (postponed) {
            refusing = true;
            task.notHandedOver();
        }
        return postponed;
    }

    /** The executor accepted a batch, so it may accept those that it refused. */
    void accepted(long now) {
        refusals.room(now);
        refusing = !refusals.isEmpty();
    }

    /**
     * Returns how long until refused batches are handed over again; {@link Handoff#NEVER} if there are none, or if that may
     * not be before an invocation ends.
     */
    long nanosUntilRetry(long now) {
        return refusals.isEmpty() || room() <= 0 ? Handoff.NEVER : refusals.nanosUntilDue(now);
    }

    /** Removes and returns the refused batches that are to be handed over again now. */
    List<Task> takeRetries(long now) {
        return refusals.takeDue(now, room());
    }

    /** How many refused batches may run beside the others: after the concurrency was lowered, not all that have a slot. */
    private int room() {
        return concurrency - (active - refusals.size());
    }

    /** Removes and returns the batch that was refused first, because an invocation ended; {@code null} if there is none. */
    @Nullable
    Task takeFirstRetry(long now) {
        if (refusals.isEmpty() || stopping || room() <= 0) {
            return null;
        }
        refusals.room(now);
        return refusals.takeFirst();
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

    boolean stopping() {
        return stopping;
    }

    /** Cancels the batches that the executor has not begun, frees their slots and returns them. */
    List<Task> cancelQueued() {
        List<Task> cancelled = new ArrayList<>(queued);
        active -= cancelled.size();
        queued.clear();
        refusals.clear();
        return cancelled;
    }
}
