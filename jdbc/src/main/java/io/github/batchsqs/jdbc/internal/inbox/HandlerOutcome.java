/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.errors.BatchSqsException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What the handler reported about its messages, by id of the inbox. Pure.
 *
 * @param byId the outcome of each message that ran, in the order of the batch
 * @param byException whether the handler named failed messages by an exception
 */
record HandlerOutcome(Map<String, BatchOutcome.Outcome> byId, boolean byException) {

    private static final BatchOutcome.Outcome DONE = new BatchOutcome.Done();

    /** Returns what an outcome means for each message. A message that it does not name fails. */
    static HandlerOutcome of(Map<String, SqsMessage<Object>> ran, BatchOutcome outcome) {
        Map<String, BatchOutcome.Outcome> byId = new LinkedHashMap<>();
        ran.forEach((id, message) -> {
            BatchOutcome.Outcome own = outcome.of(message);
            byId.put(
                    id,
                    own != null
                            ? own
                            : new BatchOutcome.Retry(
                                    null,
                                    new BatchSqsException("The handler's outcome does not mention message "
                                            + message.id()
                                            + "; name every message, or call othersDone() or othersRetry()")));
        });
        return new HandlerOutcome(byId, false);
    }

    /**
     * Returns what a partial failure means for each message.
     *
     * @throws BatchSqsException if it names a message that did not run: it fails all, as without the inbox
     */
    static HandlerOutcome of(Map<String, SqsMessage<Object>> ran, PartialBatchException partial) {
        List<SqsMessage<Object>> messages = List.copyOf(ran.values());
        Map<String, Throwable> failed = new HashMap<>(partial.failedIds());
        Throwable cause = Objects.requireNonNullElse(partial.getCause(), partial);
        for (int index : partial.failedIndexes()) {
            failed.put(
                    index >= 0 && index < messages.size() ? messages.get(index).id() : "#" + index, cause);
        }
        Map<String, BatchOutcome.Outcome> byId = new LinkedHashMap<>();
        ran.forEach((id, message) -> {
            Throwable own = failed.remove(message.id());
            byId.put(id, own == null ? DONE : new BatchOutcome.Retry(null, own));
        });
        if (!failed.isEmpty()) {
            // Without the exception as its cause, whose indexes and ids would be read as those of the whole batch
            var wrong = new BatchSqsException(
                    "The PartialBatchException of the handler names a message that is not among the " + ran.size()
                            + " of its call: " + partial.getMessage() + "; name messages of the call");
            wrong.addSuppressed(partial);
            throw wrong;
        }
        return new HandlerOutcome(byId, true);
    }

    /**
     * Returns the outcomes of the messages that do not run again now: those that are not done, and those of a group with an order that
     * are done behind one of these. Committed, they would have run ahead of it.
     */
    Map<String, BatchOutcome.Outcome> failed(Map<String, SqsMessage<Object>> ran, boolean ordered) {
        Map<String, BatchOutcome.Outcome> failed = new LinkedHashMap<>();
        Set<String> stopped = new HashSet<>();
        byId.forEach((id, outcome) -> {
            String group = ordered ? Objects.requireNonNull(ran.get(id)).groupId() : null;
            if (!(outcome instanceof BatchOutcome.Done)) { // a dead letter too: its queue may refuse it, and it returns
                failed.put(id, outcome);
                stopped.add(group == null ? "" : group);
            } else if (group != null && stopped.contains(group)) {
                failed.put(id, new BatchOutcome.Retry(null, null));
            }
        });
        return failed;
    }
}
