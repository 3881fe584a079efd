/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Divides a batch into parts, each of which holds messages of one kind. Pure.
 *
 * <p>The parts run one after another. Messages without a group (standard queues) are collected by kind. Those of a group
 * (FIFO) keep their order: a message never gets into a part ahead of the message before it.
 */
final class Parts {

    private Parts() {}

    /** Returns the parts in the order in which they run; within each, messages are in the order of the batch. */
    static <T> List<List<ConvertedMessage<T>>> of(List<ConvertedMessage<T>> messages, PartitionedListener<T> listener) {
        List<List<ConvertedMessage<T>>> parts = new ArrayList<>();
        Map<Object, Integer> lastOfKind = new HashMap<>();
        Map<String, Integer> lastOfGroup = new HashMap<>();
        for (ConvertedMessage<T> message : messages) {
            Object kind = listener.kind(message.payload());
            String group = message.delivery().group();
            int from = group == null ? 0 : lastOfGroup.getOrDefault(group, 0);
            Integer open = kind == null ? null : lastOfKind.get(kind);
            int part = open == null || open < from ? newPart(parts, kind, lastOfKind) : open;
            parts.get(part).add(message);
            if (group != null) {
                lastOfGroup.put(group, part);
            }
        }
        return parts;
    }

    private static <T> int newPart(
            List<List<ConvertedMessage<T>>> parts, @Nullable Object kind, Map<Object, Integer> lastOfKind) {
        int part = parts.size();
        parts.add(new ArrayList<>());
        if (kind != null) {
            lastOfKind.put(kind, part);
        }
        return part;
    }
}
