/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

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
final class GroupedShelf implements Shelf {

    private final Map<String, Group> groups = new HashMap<>();
    private final ArrayDeque<Group> ready = new ArrayDeque<>();
    private int size;

    private static final class Group {
        final TreeMap<Long, StoredMessage> visible = new TreeMap<>();
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
    public void add(StoredMessage message) {
        Group group = groups.computeIfAbsent(Objects.requireNonNull(message.group), name -> new Group());
        group.hidden.remove(message.sequence);
        group.visible.put(message.sequence, message);
        size++;
        queueIfDeliverable(group);
    }

    @Override
    public void take(int max, List<StoredMessage> into) {
        while (into.size() < max) {
            Group group = ready.poll();
            if (group == null) {
                return;
            }
            group.queued = false;
            long end = group.firstHidden();
            while (into.size() < max && !group.visible.isEmpty() && group.visible.firstKey() < end) {
                StoredMessage message = group.visible.pollFirstEntry().getValue();
                group.hidden.add(message.sequence);
                size--;
                into.add(message);
            }
        }
    }

    @Override
    public void gone(StoredMessage message) {
        Group group = groups.get(Objects.requireNonNull(message.group));
        if (group == null) {
            return;
        }
        if (group.visible.remove(message.sequence) != null) {
            size--;
        }
        group.hidden.remove(message.sequence);
        if (group.visible.isEmpty() && group.hidden.isEmpty() && !group.queued) {
            groups.remove(message.group);
        }
        queueIfDeliverable(group);
    }

    @Override
    public int size() {
        return size;
    }

    private void queueIfDeliverable(Group group) {
        if (!group.queued && group.deliverable()) {
            group.queued = true;
            ready.add(group);
        }
    }
}
