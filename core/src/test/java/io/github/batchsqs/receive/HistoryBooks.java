/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What truly became of each message of a history, and the rules that hold whatever happens. */
final class HistoryBooks {

    private final InMemoryQueueClient server;
    private final @Nullable Queue deadLetters;
    private final boolean byHand;
    private final Map<String, Entry> byBody = new LinkedHashMap<>();
    private final Map<String, Entry> byHandle = new HashMap<>();
    private @Nullable String violation;

    HistoryBooks(InMemoryQueueClient server, @Nullable Queue deadLetters, boolean byHand) {
        this.byHand = byHand;
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
        boolean done;
        int timesDone;

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

    void received(List<ReceivedMessage> messages) {
        messages.forEach(message -> byHandle.put(message.receiptHandle(), find(message.body())));
    }

    /** The handler gets a batch: nothing may run before what is ahead of it in its group. */
    void invoked(List<Entry> batch) {
        Set<Entry> ahead = new HashSet<>();
        for (Entry entry : batch) {
            for (Entry before = entry.before; before != null; before = before.before) {
                if (!before.done && !ahead.contains(before) && !deadLettered(before)) {
                    violated(entry + " runs although " + before + " was not handled; batch " + batch);
                }
            }
            if (!ahead.add(entry)) {
                violated(entry + " is twice in the batch " + batch);
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
        if (byHand && deadLettered(entry)) {
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

    void violated(String what) {
        if (violation == null) {
            violation = what;
        }
    }

    void check() {
        if (violation != null) {
            throw new AssertionError(violation);
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
