/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Passes the messages of one {@link BatchSqsTemplate#sendAll} to their senders together, so that they fill batches even if each
 * took long to write. Used by one thread.
 */
final class Gathering {

    /** The number of messages that it passes to senders at once. */
    private static final int CHUNK = 100;

    private final QueueSenders senders;
    private final MessagePreparer preparer;
    private final SendBuffer buffer;
    private final Supplier<Patience> patience;
    private final Map<QueueSender, List<BufferedMessage>> bySender = new LinkedHashMap<>();
    private final Map<String, SendFailedException> unavailable = new HashMap<>();

    /** The last message of each ordering key, of those from an outbox. */
    private final Map<String, StoredPlace> lastPlaces = new HashMap<>(0);

    private int gathered;

    /** @param patience of the next message */
    Gathering(QueueSenders senders, MessagePreparer preparer, SendBuffer buffer, Supplier<Patience> patience) {
        this.senders = senders;
        this.preparer = preparer;
        this.buffer = buffer;
        this.patience = patience;
    }

    /**
     * Adds a message.
     *
     * @throws SendFailedException if it cannot be sent
     */
    CompletableFuture<SendResult> add(OutgoingMessage message) {
        QueueSender sender = senderOf(message.queue());
        return add(preparer.prepare(message, sender.queue()), sender);
    }

    /**
     * Adds a message of an outbox.
     *
     * @throws SendFailedException if it cannot be sent now; those behind it in its group then fail when they are sent
     */
    CompletableFuture<SendResult> add(StoredMessage message) {
        String key = message.orderingKey();
        StoredPlace place = key == null ? null : new StoredPlace(lastPlaces.get(key));
        if (key != null) {
            lastPlaces.put(key, place);
        }
        QueueSender sender = senderOf(message.queue());
        BufferedMessage ready = preparer.prepare(message, sender.queue());
        ready.place = place;
        return add(ready, sender);
    }

    private CompletableFuture<SendResult> add(BufferedMessage ready, QueueSender sender) {
        if (!buffer.tryReserve(ready)) {
            // The gathered messages occupy room that is released only once they are sent.
            handOn();
            buffer.reserve(ready, patience.get());
        }
        bySender.computeIfAbsent(sender, key -> new ArrayList<>()).add(ready);
        if (++gathered == CHUNK) {
            handOn();
        }
        return ready.future;
    }

    /** Returns the sender; all messages to a queue wait for its look-up once. */
    private QueueSender senderOf(String queue) {
        SendFailedException known = unavailable.get(queue);
        if (known != null) {
            throw known;
        }
        try {
            return senders.of(queue, patience.get());
        } catch (SendFailedException e) {
            unavailable.put(queue, e);
            throw e;
        }
    }

    /** Passes on what was gathered. */
    void handOn() {
        bySender.forEach(QueueSender::add);
        bySender.clear();
        gathered = 0;
    }
}
