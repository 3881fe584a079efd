/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.internal.batch.EntryFailedException;
import io.github.batchsqs.internal.batch.SettledEntry;
import io.github.batchsqs.internal.support.SafeThrowable;
import io.github.batchsqs.payload.OffloadedPayload;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.payload.PayloadStoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads the payloads of messages that are stored outside of SQS, before the call that carries their pointers.
 *
 * <p>A message whose upload failed is not sent by the call; if its upload is worth another try, nothing behind it in its group is.
 * A message that fails for good leaves no payload behind, unless it may be in the queue.
 */
final class PayloadUploads {

    private static final Logger log = LoggerFactory.getLogger(PayloadUploads.class);
    private static final String BEHIND = "BehindUpload";
    private static final String ENDED = "Ended";

    private final PayloadStore store;
    private final Queue queue;

    PayloadUploads(PayloadStore store, Queue queue) {
        this.store = store;
        this.queue = queue;
    }

    /** Sends the messages whose payloads are stored. */
    @FunctionalInterface
    interface Call {
        List<EntryResult<SentMessage>> make(List<BufferedMessage> batch) throws InterruptedException;
    }

    /** Uploads what is not uploaded yet, and makes the call; returns the results in the order of the batch. */
    List<EntryResult<SentMessage>> before(List<BufferedMessage> batch, Call call) throws InterruptedException {
        List<BufferedMessage> pending = batch.stream()
                .filter(each -> each.payload != null && !each.uploaded)
                .toList();
        Map<OffloadedPayload, PayloadStoreException> failures = pending.isEmpty() ? Map.of() : upload(pending);
        List<@Nullable EntryResult<SentMessage>> notSent = new ArrayList<>(batch.size());
        List<BufferedMessage> sent = new ArrayList<>(batch.size());
        Set<String> waiting = new HashSet<>(0);
        for (BufferedMessage each : batch) {
            EntryResult<SentMessage> result = notSent(each, failures, waiting);
            if (result == null && !each.mayBeCarried()) {
                result = new EntryResult.Rejected<>(ENDED, "It has failed during an upload, and is not sent", false);
                discardLate(each);
                if (each.place != null && each.entry.groupId() != null) {
                    waiting.add(each.entry.groupId()); // the outbox sends it again
                }
            }
            notSent.add(result);
            if (result == null) {
                sent.add(each);
            }
        }
        Iterator<EntryResult<SentMessage>> results =
                sent.isEmpty() ? Collections.emptyIterator() : call.make(sent).iterator();
        List<EntryResult<SentMessage>> all = new ArrayList<>(batch.size());
        for (EntryResult<SentMessage> result : notSent) {
            all.add(result != null ? result : results.next());
        }
        return all;
    }

    private Map<OffloadedPayload, PayloadStoreException> upload(List<BufferedMessage> pending)
            throws InterruptedException {
        List<OffloadedPayload> payloads = new ArrayList<>(pending.size());
        for (BufferedMessage each : pending) {
            each.uploadTried = true;
            payloads.add(Objects.requireNonNull(each.payload));
        }
        Map<OffloadedPayload, PayloadStoreException> failures;
        try {
            failures = store(payloads);
        } catch (InterruptedException e) { // at the deadline of all messages of the call; some payloads may be stored
            List<OffloadedPayload> unused = pending.stream()
                    .filter(BufferedMessage::endedUncarried)
                    .map(each -> Objects.requireNonNull(each.payload))
                    .toList();
            if (!unused.isEmpty()) {
                discard(unused);
            }
            throw e;
        }
        for (BufferedMessage each : pending) {
            each.uploaded = !failures.containsKey(each.payload);
        }
        return failures;
    }

    /** A store that throws has stored nothing, as far as it is known. */
    private Map<OffloadedPayload, PayloadStoreException> store(List<OffloadedPayload> payloads)
            throws InterruptedException {
        try {
            return store.upload(queue.name(), payloads);
        } catch (RuntimeException e) {
            var failure = new PayloadStoreException("The store of payloads threw " + SafeThrowable.text(e), true, e);
            return payloads.stream().collect(Collectors.toMap(each -> each, each -> failure));
        }
    }

    /** The message ended during its upload. */
    private void discardLate(BufferedMessage message) {
        if (message.payload != null && message.uploaded) {
            discard(List.of(message.payload));
        }
    }

    /** Returns why the message is not sent by this call, or {@code null} if it is. */
    private @Nullable EntryResult<SentMessage> notSent(
            BufferedMessage message, Map<OffloadedPayload, PayloadStoreException> failures, Set<String> waiting) {
        String group = queue.fifo() ? message.entry.groupId() : null;
        if (group != null && waiting.contains(group)) {
            return new EntryResult.Rejected<>(
                    BEHIND, "The payload of a message ahead of it in its group is not stored yet", true);
        }
        PayloadStoreException failure = message.payload == null ? null : failures.get(message.payload);
        if (failure == null) {
            return null;
        }
        if (group != null && (failure.retryable() || message.place != null)) { // the outbox sends it again
            waiting.add(group);
        }
        return new EntryResult.Rejected<>(
                SendFailedException.PAYLOAD_NOT_STORED, String.valueOf(failure.getMessage()), failure.retryable());
    }

    /** Discards the payloads of messages that failed and are surely not in the queue. */
    void settled(List<? extends SettledEntry<BufferedMessage, SentMessage>> messages) {
        List<OffloadedPayload> unused = new ArrayList<>(0);
        for (SettledEntry<BufferedMessage, SentMessage> each : messages) {
            BufferedMessage message = each.entry();
            if (each.cause() != null
                    && surelyNotInQueue(message, each.cause())
                    && message.payload != null
                    && message.uploadTried) {
                unused.add(message.payload);
            }
        }
        if (!unused.isEmpty()) {
            discard(unused);
        }
    }

    private static boolean surelyNotInQueue(BufferedMessage message, @Nullable Throwable cause) {
        return message.endsUncarried()
                || (cause instanceof EntryFailedException failure && !failure.mayHaveBeenAccepted());
    }

    private void discard(List<OffloadedPayload> unused) {
        try {
            store.discard(queue.name(), unused);
        } catch (RuntimeException e) { // the futures complete all the same
            log.error("Payloads of {} that were not sent could not be discarded", queue.name(), e);
        }
    }
}
