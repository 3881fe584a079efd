/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The oldest first, of the returned ones too. SQS defines no order; this one does not depend on the order of the returns, which
 * an engine with several threads need not repeat. Deleted messages stay in the line until their turn comes.
 */
final class StandardShelf<P extends Payload> implements Shelf<P> {

    /** By sequence, because they come in that order. */
    private final ArrayDeque<Stored<P>> arrived = new ArrayDeque<>();

    /** Those that are older than the last arrived one. */
    private final PriorityQueue<Stored<P>> returned =
            new PriorityQueue<>(Comparator.comparingLong((Stored<P> message) -> message.sequence));

    private int goneButHere;

    @Override
    public void show(Stored<P> message) {
        Stored<P> last = arrived.peekLast();
        if (last == null || last.sequence < message.sequence) {
            arrived.add(message);
        } else {
            returned.add(message);
        }
    }

    @Override
    public void hide(Stored<P> message) {}

    @Override
    public void take(int max, List<Stored<P>> into) {
        int end = into.size() + max;
        while (into.size() < end) {
            Stored<P> message = poll();
            if (message == null) {
                return;
            }
            if (message.gone) {
                goneButHere--;
            } else {
                into.add(message);
            }
        }
    }

    private @Nullable Stored<P> poll() {
        Stored<P> again = returned.peek();
        Stored<P> first = arrived.peek();
        return again == null || (first != null && first.sequence < again.sequence) ? arrived.poll() : returned.poll();
    }

    @Override
    public void remove(Stored<P> message) {
        if (!message.hidden) {
            goneButHere++;
        }
    }

    @Override
    public int size() {
        return arrived.size() + returned.size() - goneButHere;
    }
}
