/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages that one transaction keeps back until it commits. Their room in the buffer is taken already, so the commit
 * waits for nothing.
 *
 * <p>Belongs to the transaction's thread.
 */
final class BoundMessages implements SendBinding.Bound {

    /** All waits of the transaction. */
    final Patience patience;

    private final List<Kept> kept = new ArrayList<>();

    BoundMessages(Patience patience) {
        this.patience = patience;
    }

    private record Kept(QueueSender sender, BufferedMessage message) {}

    void add(QueueSender sender, BufferedMessage message) {
        kept.add(new Kept(sender, message));
    }

    @Override
    public void committed() {
        Map<QueueSender, List<BufferedMessage>> bySender = new LinkedHashMap<>();
        kept.forEach(each ->
                bySender.computeIfAbsent(each.sender, key -> new ArrayList<>()).add(each.message));
        kept.clear();
        bySender.forEach(QueueSender::add);
    }

    @Override
    public void abandoned() {
        abandonedAfter(0);
    }

    @Override
    public int size() {
        return kept.size();
    }

    @Override
    public void abandonedAfter(int first) {
        List<Kept> some = kept.subList(Math.min(first, kept.size()), kept.size());
        List<Kept> all = List.copyOf(some);
        some.clear();
        all.forEach(each -> each.sender.abandon(each.message));
    }
}
