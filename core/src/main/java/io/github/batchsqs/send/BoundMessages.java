/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages that one transaction keeps back until it commits. Their room in the buffer is taken already, so the commit
 * waits for nothing. All waits of a transaction, for queues and for room, together last {@code max-block} at most.
 *
 * <p>Belongs to the transaction's thread.
 */
final class BoundMessages implements SendBinding.Bound {

    private final HandOn handOn;
    private final List<Kept> kept = new ArrayList<>();
    private long bytes;
    private Duration waited = Duration.ZERO;

    BoundMessages(HandOn handOn) {
        this.handOn = handOn;
    }

    private record Kept(QueueSender sender, BufferedMessage message) {}

    /** What the template does with the messages in the end. */
    interface HandOn {

        void send(QueueSender sender, List<BufferedMessage> messages);

        /** Fails a message. */
        void abandon(QueueSender sender, BufferedMessage message);
    }

    void add(QueueSender sender, BufferedMessage message) {
        kept.add(new Kept(sender, message));
        bytes += charged(message);
    }

    /** How much of the buffer its messages hold. */
    long bytes() {
        return bytes;
    }

    /** How long it has waited for queues and for room so far. */
    Duration waited() {
        return waited;
    }

    void waited(Duration more) {
        waited = waited.plus(more);
    }

    @Override
    public void committed() {
        Map<QueueSender, List<BufferedMessage>> bySender = new LinkedHashMap<>();
        kept.forEach(each ->
                bySender.computeIfAbsent(each.sender, key -> new ArrayList<>()).add(each.message));
        kept.clear();
        bySender.forEach(handOn::send);
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
        for (Kept each : all) {
            bytes -= charged(each.message);
            handOn.abandon(each.sender, each.message);
        }
    }

    private static long charged(BufferedMessage message) {
        return message.occupied + SendBuffer.OVERHEAD;
    }
}
