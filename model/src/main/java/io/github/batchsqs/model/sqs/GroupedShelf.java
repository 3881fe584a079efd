/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * FIFO: a message is withheld while an earlier one of its group is hidden. One that becomes visible again is delivered
 * although later ones of its group are hidden. A receive takes as much of one group as it can before it looks at the next.
 */
final class GroupedShelf<P extends Payload> implements Shelf<P> {

    private final Map<String, Group<P>> groups = new HashMap<>();
    private final ArrayDeque<Group<P>> ready = new ArrayDeque<>();
    private int size;

    private static final class Group<P extends Payload> {
        final TreeMap<Long, Stored<P>> visible = new TreeMap<>();
        final TreeSet<Long> hidden = new TreeSet<>();
        boolean queued;

        boolean deliverable() {
            return !visible.isEmpty() && visible.firstKey() < firstHidden();
        }

        long firstHidden() {
            return hidden.isEmpty() ? Long.MAX_VALUE : hidden.first();
        }
    }

    @Override
    public void show(Stored<P> message) {
        Group<P> group = group(message);
        group.hidden.remove(message.sequence);
        group.visible.put(message.sequence, message);
        size++;
        queueIfDeliverable(group);
    }

    @Override
    public void hide(Stored<P> message) {
        group(message).hidden.add(message.sequence);
    }

    @Override
    public void take(int max, List<Stored<P>> into) {
        int end = into.size() + max;
        while (into.size() < end) {
            Group<P> group = ready.poll();
            if (group == null) {
                return;
            }
            group.queued = false;
            long firstHidden = group.firstHidden();
            while (into.size() < end && !group.visible.isEmpty() && group.visible.firstKey() < firstHidden) {
                Stored<P> message = group.visible.pollFirstEntry().getValue();
                group.hidden.add(message.sequence);
                size--;
                into.add(message);
            }
        }
    }

    @Override
    public void remove(Stored<P> message) {
        Group<P> group = group(message);
        if (group.visible.remove(message.sequence) != null) {
            size--;
        }
        group.hidden.remove(message.sequence);
        if (group.visible.isEmpty() && group.hidden.isEmpty() && !group.queued) {
            groups.remove(groupOf(message));
        }
        queueIfDeliverable(group);
    }

    @Override
    public int size() {
        return size;
    }

    private Group<P> group(Stored<P> message) {
        return groups.computeIfAbsent(groupOf(message), name -> new Group<>());
    }

    private static String groupOf(Stored<?> message) {
        return Objects.requireNonNull(message.group(), "Every message of a FIFO queue has a group");
    }

    private void queueIfDeliverable(Group<P> group) {
        if (!group.queued && group.deliverable()) {
            group.queued = true;
            ready.add(group);
        }
    }
}
