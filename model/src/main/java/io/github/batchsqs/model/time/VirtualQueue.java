/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.util.ArrayDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A queue at which strands wait in virtual time, and other threads as usual. Strands never wait for room.
 *
 * @param <E> the type of its elements
 */
public class VirtualQueue<E> extends LinkedBlockingQueue<E> {

    private static final long serialVersionUID = 1;

    private final transient ArrayDeque<Strand.Wait> waiters = new ArrayDeque<>();

    /** Creates a queue without a limit. */
    public VirtualQueue() {}

    /**
     * Creates a queue.
     *
     * @param capacity the maximum number of its elements
     */
    public VirtualQueue(int capacity) {
        super(capacity);
    }

    @Override
    public boolean offer(E element) {
        boolean taken = super.offer(element);
        for (Strand.Wait first = waiters.poll(); first != null && !first.end(); first = waiters.poll()) {
            // the next one
        }
        return taken;
    }

    @Override
    public void put(E element) throws InterruptedException {
        if (Strand.current() == null) {
            super.put(element);
        } else if (!offer(element)) {
            throw new UnsupportedOperationException("A strand does not wait for room");
        }
    }

    @Override
    public E take() throws InterruptedException {
        Strand me = Strand.current();
        E element = me == null ? super.take() : polled(me, Strand.NEVER);
        if (element == null) {
            throw new IllegalStateException("It waits for as long as it takes");
        }
        return element;
    }

    @Override
    public @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
        Strand me = Strand.current();
        return me == null
                ? super.poll(timeout, unit)
                : polled(me, me.time.deadline(Math.max(0, unit.toNanos(timeout))));
    }

    private @Nullable E polled(Strand me, long deadline) throws InterruptedException {
        E element = poll();
        while (element == null && me.time.nanos() < deadline) {
            Strand.Wait wait = me.wait(true);
            waiters.add(wait);
            try {
                me.block(wait, deadline);
            } finally {
                boolean unused = waiters.remove(wait);
            }
            element = poll();
        }
        return element;
    }
}
