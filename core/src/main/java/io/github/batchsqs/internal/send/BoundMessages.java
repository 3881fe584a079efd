/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages that one transaction keeps back until it commits. Their room in the buffer is taken already, so the commit
 * waits for nothing. {@link #committed()} or {@link #abandoned()} is called, once, when the transaction ends.
 *
 * <p>Belongs to the transaction's thread.
 */
public final class BoundMessages {

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

    /** Hands the messages on, in order. Does not block: they have had their room in the buffer since they were sent. */
    public void committed() {
        Map<QueueSender, List<BufferedMessage>> bySender = new LinkedHashMap<>();
        kept.forEach(each ->
                bySender.computeIfAbsent(each.sender, key -> new ArrayList<>()).add(each.message));
        kept.clear();
        bySender.forEach(QueueSender::add);
    }

    /** Fails the messages: the transaction did not commit, or its end is not known. */
    public void abandoned() {
        abandonedAfter(0);
    }

    /** {@return how many messages are kept back now, for a savepoint} */
    public int size() {
        return kept.size();
    }

    /**
     * Fails all messages but the first ones: the transaction was rolled back to a savepoint.
     *
     * @param first the number of messages that stay
     */
    public void abandonedAfter(int first) {
        List<Kept> some = kept.subList(Math.min(first, kept.size()), kept.size());
        List<Kept> all = List.copyOf(some);
        some.clear();
        all.forEach(each -> each.sender.abandon(each.message));
    }
}
