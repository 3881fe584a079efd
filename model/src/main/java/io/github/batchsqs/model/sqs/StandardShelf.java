/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.util.ArrayDeque;
import java.util.List;

/** First come, first served. Deleted messages stay in the line until their turn comes. */
final class StandardShelf<P extends Payload> implements Shelf<P> {

    private final ArrayDeque<Stored<P>> visible = new ArrayDeque<>();
    private int goneButHere;

    @Override
    public void show(Stored<P> message) {
        visible.add(message);
    }

    @Override
    public void hide(Stored<P> message) {}

    @Override
    public void take(int max, List<Stored<P>> into) {
        int end = into.size() + max;
        while (into.size() < end) {
            Stored<P> message = visible.poll();
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

    @Override
    public void remove(Stored<P> message) {
        if (!message.hidden) {
            goneButHere++;
        }
    }

    @Override
    public int size() {
        return visible.size() - goneButHere;
    }
}
