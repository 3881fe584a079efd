/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.ArrayDeque;
import java.util.List;

/** First come, first served. */
final class StandardShelf implements Shelf {

    private final ArrayDeque<StoredMessage> visible = new ArrayDeque<>();
    private int goneButHere;

    @Override
    public void add(StoredMessage message) {
        visible.add(message);
    }

    @Override
    public void take(int max, List<StoredMessage> into) {
        while (into.size() < max) {
            StoredMessage message = visible.poll();
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
    public void gone(StoredMessage message) {
        if (!message.hidden) {
            goneButHere++;
        }
    }

    @Override
    public int size() {
        return visible.size() - goneButHere;
    }
}
