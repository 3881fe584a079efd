/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A batch that has a slot, from the hand-over to the executor until its invocation is over. */
final class Task implements Runnable {

    private final List<Delivery> batch;
    private final Starter starter;
    private final long slotAt;

    // ---- written by the thread that hands it over, before the executor gets it
    private @Nullable Thread startedBy;
    /** Where that thread continues, while it is in the executor. Used by that thread alone. */
    private @Nullable List<Task> following;

    // ---- belongs to the dispatcher's lock
    /** The same, if the invocation runs on that thread. */
    private @Nullable List<Task> loop;

    private @Nullable Task outer;
    /** When it got its slot, and from its begin on when it began. */
    private long startedAt;

    private int slots;

    Task(List<Delivery> batch, Starter starter, long now) {
        this.batch = batch;
        this.starter = starter;
        this.slotAt = now;
        this.startedAt = now;
    }

    @Override
    public void run() {
        starter.run(this);
    }

    List<Delivery> batch() {
        return batch;
    }

    /** Returns when it got its slot. */
    long slotAt() {
        return slotAt;
    }

    /** Returns how many batches had a slot when it began, with this one. */
    int slots() {
        return slots;
    }

    /** The calling thread begins to hand it over, and starts afterwards what is added to {@code follow}. */
    void handOver(List<Task> follow) {
        startedBy = Thread.currentThread();
        following = follow;
    }

    /** The calling thread comes back from the executor. */
    void backFromExecutor() {
        following = null;
    }

    /**
     * The invocation begins on the calling thread.
     *
     * @param active how many batches have a slot
     * @return itself
     */
    Task begin(long now, int active) {
        startedAt = now;
        slots = active;
        loop = Thread.currentThread().equals(startedBy) ? following : null;
        return this;
    }

    /** Remembers the invocation that already runs on this thread, if there is one. */
    void within(@Nullable Task outerTask) {
        outer = outerTask;
    }

    @Nullable
    Task outer() {
        return outer;
    }

    /** Returns the loop that started it, if the invocation runs on the thread of that loop. */
    @Nullable
    List<Task> loop() {
        return loop;
    }

    long startedAt() {
        return startedAt;
    }

    /** Returns the message groups of its messages; none on a standard queue. */
    Set<String> groups() {
        Set<String> groups = new LinkedHashSet<>();
        for (Delivery delivery : batch) {
            if (delivery.group() != null) {
                groups.add(delivery.group());
            }
        }
        return groups;
    }
}
