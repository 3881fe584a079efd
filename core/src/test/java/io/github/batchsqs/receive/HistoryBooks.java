/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What truly became of each message of a history, and the rules that hold whatever happens. */
final class HistoryBooks {

    private final InMemoryQueueClient server;
    private final @Nullable Queue deadLetters;
    private final boolean manual;
    private final Map<String, Entry> byBody = new LinkedHashMap<>();
    private final Map<String, Entry> byHandle = new HashMap<>();
    private final Map<String, Entry> byId = new HashMap<>();
    private final Set<String> undeletable = new HashSet<>();
    private final Set<String> returned = new HashSet<>();
    private @Nullable AssertionError violation;

    HistoryBooks(InMemoryQueueClient server, @Nullable Queue deadLetters, boolean manual) {
        this.manual = manual;
        this.server = server;
        this.deadLetters = deadLetters;
    }

    /** One message. */
    static final class Entry {

        final String body;
        final @Nullable String group;
        final @Nullable Entry before;
        boolean unreadable;
        boolean fatal;

        @Nullable
        String handle;

        @Nullable
        Object holder;

        boolean poison;
        boolean done;
        int timesDone;
        int timesReceived;
        int timesFailed;

        private Entry(String body, @Nullable String group, @Nullable Entry before) {
            this.body = body;
            this.group = group;
            this.before = before;
        }

        @Override
        public String toString() {
            return body;
        }
    }

    Entry add(@Nullable String group) {
        Entry before = null;
        int place = 0;
        for (Entry entry : byBody.values()) {
            if (group != null && group.equals(entry.group)) {
                before = entry;
                place++;
            }
        }
        String body = group == null ? "m" + byBody.size() : group + "-" + place;
        Entry entry = new Entry(body, group, before);
        byBody.put(body, entry);
        return entry;
    }

    Entry find(String body) {
        Entry entry = byBody.get(body);
        if (entry == null) {
            throw new IllegalArgumentException(body);
        }
        return entry;
    }

    Iterable<Entry> all() {
        return byBody.values();
    }

    int size() {
        return byBody.size();
    }

    void received(List<ReceivedMessage> messages, Object by) {
        for (ReceivedMessage message : messages) {
            Entry entry = find(message.body());
            entry.handle = message.receiptHandle();
            entry.holder = by;
            entry.timesReceived++;
            byHandle.put(message.receiptHandle(), entry);
            byId.put(message.id(), entry);
        }
    }

    /** SQS accepts no delete with this handle: the message comes again. */
    void undeletable(ReceivedMessage message) {
        undeletable.add(message.receiptHandle());
    }

    boolean isUndeletable(String id) {
        Entry entry = byId.get(id);
        return entry != null && undeletable.contains(String.valueOf(entry.handle));
    }

    /**
     * The handler gets a batch: nothing may run before what is ahead of it in its group was handled and deleted.
     *
     * @param groupRun whose messages may run when the one ahead of it was handled and nobody else holds or can receive
     *     it; {@code null} if the one ahead must be deleted
     */
    void invoked(List<Entry> batch, Queue source, @Nullable HistoryInstance groupRun) {
        Set<Entry> ahead = new HashSet<>();
        for (Entry entry : batch) {
            for (Entry before = entry.before; before != null; before = before.before) {
                if (!before.done && !ahead.contains(before) && !deadLettered(before)) {
                    violated(entry + " runs although " + before + " was not handled; batch " + batch);
                }
            }
            if (entry.before != null && !ahead.contains(entry.before)) {
                checkDeleted(entry, ahead, source, groupRun);
            }
            if (!ahead.add(entry)) {
                violated(entry + " is twice in the batch " + batch);
            }
        }
    }

    private void checkDeleted(Entry entry, Set<Entry> ahead, Queue source, @Nullable HistoryInstance groupRun) {
        List<StoredMessage> kept = new ArrayList<>(server.visible(source));
        for (StoredMessage message : server.inFlight(source)) {
            if (groupRun == null || !groupRun.equals(find(message.body()).holder)) {
                kept.add(message);
            }
        }
        for (Entry before = entry.before; before != null; before = before.before) {
            String body = before.body;
            if (!ahead.contains(before)
                    && !deadLettered(before)
                    && kept.stream().anyMatch(message -> message.body().equals(body))) {
                violated(entry + " runs although " + before + " was not deleted");
            }
        }
    }

    /** A delete reaches the server. */
    void deleting(String handle) {
        Entry entry = byHandle.get(handle);
        if (entry == null) {
            violated("A delete with the handle " + handle + " that no receive brought");
            return;
        }
        if (manual && deadLettered(entry)) {
            return; // what is before it waits for the handler's hand; it never will
        }
        for (Entry each = entry; each != null; each = each.before) {
            if (!each.done && !deadLettered(each)) {
                violated(entry + " is deleted although " + each + " was neither handled nor dead-lettered");
            }
        }
    }

    void done(Entry entry, boolean forSure) {
        entry.done = true;
        if (forSure) {
            entry.timesDone++;
        }
    }

    /** Visibility changes reached the server. */
    void changed(List<VisibilityChange> changes, List<EntryResult<Void>> results) {
        for (int i = 0; i < changes.size(); i++) {
            if (changes.get(i).timeout().isZero() && results.get(i) instanceof EntryResult.Accepted<Void>) {
                returned.add(changes.get(i).receiptHandle());
            }
        }
    }

    /** The handler gets a message. */
    void begins(String handle, HistoryInstance instance, boolean fifo) {
        Entry entry = Objects.requireNonNull(byHandle.get(handle));
        if (fifo && !instance.equals(entry.holder)) {
            violated(entry + " runs although others have received it");
        }
        if (returned.contains(handle)) {
            violated(entry + " runs although it was returned to the queue");
        }
        if (instance.isClosed()) {
            violated(entry + " runs after the stop");
        }
    }

    void violated(String what) {
        violated(what, null);
    }

    void violated(String what, @Nullable Throwable cause) {
        if (violation == null) {
            violation = new AssertionError(what, cause);
        }
    }

    void check() {
        if (violation != null) {
            throw violation;
        }
    }

    boolean finished(Queue queue) {
        for (Entry entry : byBody.values()) {
            if (!entry.done && !deadLettered(entry)) {
                return false;
            }
        }
        return server.visible(queue).isEmpty() && server.inFlight(queue).isEmpty();
    }

    /** When all is over. */
    void checkEnd(Queue queue, boolean calm) {
        List<Entry> unprocessed = new ArrayList<>();
        for (Entry entry : byBody.values()) {
            if (!entry.done && !deadLettered(entry)) {
                unprocessed.add(entry);
            }
            if (calm && entry.timesDone > 1) {
                violated(entry + " was handled " + entry.timesDone + " times although nothing went wrong");
            }
        }
        if (!unprocessed.isEmpty()) {
            violated("Never handled: " + unprocessed);
        }
        check();
        server.assertDrained(queue);
        server.assertNothingLost();
        server.assertNoMisuse();
    }

    /**
     * Messages that always fail, and nothing else went wrong.
     *
     * @param undisturbed whether there was no reason to return any message to the queue
     */
    void checkPoison(int maxReceiveCount, boolean undisturbed) {
        for (Entry entry : byBody.values()) {
            if (entry.poison && (!deadLettered(entry) || entry.done)) {
                violated(entry + " always fails, but is not in the dead-letter queue");
            }
            if (entry.poison && entry.timesReceived == 1 && entry.timesFailed != maxReceiveCount) {
                violated(entry + " ran " + entry.timesFailed + " times and not " + maxReceiveCount);
            }
            if (undisturbed && entry.timesReceived != 1) {
                violated(entry + " was received " + entry.timesReceived + " times");
            }
        }
        check();
    }

    boolean deadLettered(Entry entry) {
        if (deadLetters == null) {
            return false;
        }
        for (StoredMessage message : server.visible(deadLetters)) {
            if (message.body().equals(entry.body)) {
                return true;
            }
        }
        return false;
    }
}
