/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.batch.BatchCall;
import io.github.batchsqs.internal.batch.EntryFailedException;
import io.github.batchsqs.internal.batch.SettledEntry;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.payload.OffloadedPayload;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.send.SendFailedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
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
 * Decides which messages of a batch a call carries: not those whose payload is not stored outside of SQS yet, nor those that would
 * overtake another one of their group. It uploads the payloads, makes the call, and discards what is of no use in the end.
 *
 * @param carrier sends messages whose payloads are stored
 */
record SendCall(Queue queue, @Nullable PayloadStore store, BatchCall<BufferedMessage, SentMessage> carrier) {

    private static final Logger log = LoggerFactory.getLogger(SendCall.class);
    private static final String BEHIND_UPLOAD = "BehindUpload";
    private static final String ENDED = "Ended";

    /** Makes the call; returns the results in the order of the batch, those of the messages that it does not carry included. */
    List<EntryResult<SentMessage>> make(List<BufferedMessage> batch) throws InterruptedException {
        if (store == null && batch.stream().allMatch(each -> each.place == null && each.mayBeCarried())) {
            return carrier.call(batch);
        }
        Choice choice = new Choice(upload(batch));
        List<@Nullable EntryResult<SentMessage>> results = new ArrayList<>(batch.size());
        List<BufferedMessage> sent = new ArrayList<>(batch.size());
        for (BufferedMessage each : batch) {
            EntryResult<SentMessage> notSent = choice.notSent(each);
            results.add(notSent);
            if (notSent == null) {
                sent.add(each);
            }
        }
        Iterator<EntryResult<SentMessage>> ofSent =
                sent.isEmpty() ? Collections.emptyIterator() : carried(sent).iterator();
        return results.stream().map(each -> each != null ? each : ofSent.next()).toList();
    }

    private List<EntryResult<SentMessage>> carried(List<BufferedMessage> sent) throws InterruptedException {
        try {
            List<EntryResult<SentMessage>> results = carrier.call(sent);
            for (int i = 0; i < sent.size(); i++) {
                StoredPlace place = sent.get(i).place;
                if (place != null) {
                    place.sent(results.get(i));
                }
            }
            return results;
        } catch (QueueCallException refused) {
            StoredPlace place = sent.getFirst().place;
            if (place != null && sent.size() == 1) {
                place.refused(refused.code(), refused.getMessage());
            }
            throw refused;
        }
    }

    /** Which messages of one batch are carried, asked in their order. */
    private final class Choice {

        private final Map<OffloadedPayload, PayloadStoreException> failures;
        private final Set<StoredPlace> carried = Collections.newSetFromMap(new IdentityHashMap<>());

        /** The groups in which a message waits for its upload, or for the outbox. */
        private final Set<String> waiting = new HashSet<>(0);

        Choice(Map<OffloadedPayload, PayloadStoreException> failures) {
            this.failures = failures;
        }

        /** Returns why the call does not carry the message, or {@code null} if it does. */
        @Nullable
        EntryResult<SentMessage> notSent(BufferedMessage message) {
            String group = queue.fifo() ? message.entry.groupId() : null;
            StoredPlace place = message.place;
            if (group != null && waiting.contains(group)) {
                return new EntryResult.Rejected<>(
                        BEHIND_UPLOAD, "The payload of a message ahead of it in its group is not stored yet", true);
            }
            if (place != null && !place.isNext(carried)) {
                return new EntryResult.Rejected<>(
                        Outbox.BEHIND_UNSENT,
                        "A message ahead of it in its group was not accepted, and is sent again later",
                        false);
            }
            PayloadStoreException failure = message.payload == null ? null : failures.get(message.payload);
            if (failure != null) {
                if (group != null && (failure.retryable() || place != null)) { // the outbox sends it again
                    waiting.add(group);
                }
                return new EntryResult.Rejected<>(
                        SendFailedException.PAYLOAD_NOT_STORED,
                        String.valueOf(failure.getMessage()),
                        failure.retryable());
            }
            if (!message.mayBeCarried()) {
                if (message.payload != null && message.uploaded && message.endedUncarried()) {
                    discard(List.of(message.payload));
                }
                if (group != null && place != null) { // likewise
                    waiting.add(group);
                }
                return new EntryResult.Rejected<>(ENDED, "It has failed during an upload, and is not sent", false);
            }
            if (place != null) {
                carried.add(place);
            }
            return null;
        }
    }

    /** Uploads what is not uploaded yet. */
    private Map<OffloadedPayload, PayloadStoreException> upload(List<BufferedMessage> batch)
            throws InterruptedException {
        List<BufferedMessage> pending = batch.stream()
                .filter(each -> each.payload != null && !each.uploaded)
                .toList();
        if (store == null || pending.isEmpty()) {
            return Map.of();
        }
        List<OffloadedPayload> payloads = new ArrayList<>(pending.size());
        for (BufferedMessage each : pending) {
            each.uploadTried = true;
            payloads.add(Objects.requireNonNull(each.payload));
        }
        Map<OffloadedPayload, PayloadStoreException> failures;
        try {
            failures = stored(store, payloads);
        } catch (InterruptedException e) { // at the deadline of all messages of the call; some payloads may be stored
            List<OffloadedPayload> unused = pending.stream()
                    .filter(BufferedMessage::endedUncarried)
                    .map(each -> Objects.requireNonNull(each.payload))
                    .toList();
            discard(unused);
            throw e;
        }
        for (BufferedMessage each : pending) {
            each.uploaded = !failures.containsKey(each.payload);
        }
        return failures;
    }

    /** A store that throws has stored nothing, as far as it is known. */
    private Map<OffloadedPayload, PayloadStoreException> stored(PayloadStore in, List<OffloadedPayload> payloads)
            throws InterruptedException {
        try {
            return in.upload(queue.name(), payloads);
        } catch (RuntimeException e) {
            var failure = new PayloadStoreException("The store of payloads threw " + e, true, e);
            return payloads.stream().collect(Collectors.toMap(each -> each, each -> failure));
        }
    }

    /** Discards the payloads of messages that failed and are surely not in the queue. */
    void settled(List<? extends SettledEntry<BufferedMessage, SentMessage>> messages) {
        if (store == null) {
            return;
        }
        List<OffloadedPayload> unused = new ArrayList<>(0);
        for (SettledEntry<BufferedMessage, SentMessage> each : messages) {
            BufferedMessage message = each.entry();
            EntryFailedException failure = each.cause();
            if (failure != null && !failure.mayHaveBeenAccepted() && message.payload != null && message.uploadTried) {
                unused.add(message.payload);
            }
        }
        discard(unused);
    }

    private void discard(List<OffloadedPayload> unused) {
        if (store == null || unused.isEmpty()) {
            return;
        }
        try {
            store.discard(queue.name(), unused);
        } catch (RuntimeException e) { // the futures complete all the same
            log.error("Payloads of {} that were not sent could not be discarded", queue.name(), e);
        }
    }
}
