/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one batch on their way through the inbox, each with its outcome as far as it is known. Pure. Used by the
 * thread of one invocation.
 *
 * <p>Of several messages with one id only the first runs; the others share its outcome.
 */
final class Intake {

    private final MessageBatch<Object> batch;
    /** The groups of a standard queue are tenants, which have no order. */
    private final boolean ordered;

    private final Map<String, BatchOutcome.Outcome> outcomes = new LinkedHashMap<>();
    /** The messages of each id that may run, in the order of the batch. */
    private final Map<String, List<SqsMessage<Object>>> open = new LinkedHashMap<>();
    /** Why each message without a key has none. */
    private final List<RuntimeException> withoutKey = new ArrayList<>();

    Intake(MessageBatch<Object> batch, MessageIds ids) {
        this.batch = batch;
        this.ordered = batch.queue().endsWith(".fifo");
        Set<String> stopped = new HashSet<>();
        for (SqsMessage<Object> message : batch) {
            String group = ordered ? message.groupId() : null;
            if (group != null && stopped.contains(group)) {
                outcomes.put(message.id(), new BatchOutcome.Retry(null, null));
                continue;
            }
            try {
                open.computeIfAbsent(ids.of(message), key -> new ArrayList<>()).add(message);
            } catch (RuntimeException noKey) {
                outcomes.put(message.id(), new BatchOutcome.Retry(null, noKey));
                withoutKey.add(noKey);
                if (group != null) {
                    stopped.add(group);
                }
            }
        }
    }

    /** Returns why messages fail without a run: each of them has no key. */
    List<RuntimeException> withoutKey() {
        return withoutKey;
    }

    /** Returns whether the messages of a group have an order. */
    boolean ordered() {
        return ordered;
    }

    /** Returns the ids of the messages that may run, sorted, without some. */
    List<String> sortedIdsBut(Set<String> without) {
        return open.keySet().stream()
                .filter(id -> !without.contains(id))
                .sorted()
                .toList();
    }

    /** Returns the messages that run for these ids, in the order of the batch. */
    Map<String, SqsMessage<Object>> ofIds(Set<String> ids) {
        Map<String, SqsMessage<Object>> found = new LinkedHashMap<>();
        open.forEach((id, messages) -> {
            if (ids.contains(id)) {
                found.put(id, messages.getFirst());
            }
        });
        return found;
    }

    /** Returns these messages as a batch. */
    MessageBatch<Object> batchOf(Map<String, SqsMessage<Object>> messages) {
        return messages.size() == batch.size()
                ? batch
                : new MessageBatch<>(
                        batch.queue(),
                        List.copyOf(messages.values()),
                        batch.acknowledgement(),
                        (some, timeout) -> batch.visibility().changeTo(some, timeout));
    }

    /** Records the outcome of the messages of an id, unless they have one. */
    void settle(String id, BatchOutcome.Outcome outcome) {
        List<SqsMessage<Object>> settled = open.remove(id);
        if (settled != null) {
            settled.forEach(message -> outcomes.put(message.id(), outcome));
        }
    }

    /** Returns how often the messages of an id have been received, the most of them. */
    int receives(String id) {
        return Objects.requireNonNull(open.get(id)).stream()
                .mapToInt(SqsMessage::receiveCount)
                .max()
                .orElse(0);
    }

    /** Returns the number of messages with these ids. */
    int count(Set<String> ids) {
        return ids.stream()
                .mapToInt(id -> Objects.requireNonNull(open.get(id)).size())
                .sum();
    }

    /** Returns the outcome of a message, or {@code null} if it is not known. */
    BatchOutcome.@Nullable Outcome outcomeOf(SqsMessage<Object> message) {
        return outcomes.get(message.id());
    }

    MessageBatch<Object> batch() {
        return batch;
    }
}
