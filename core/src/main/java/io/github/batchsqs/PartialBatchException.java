/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to say which messages of the batch failed; all others were handled and are deleted.
 *
 * <p>The failed ones are named by message or by their index in the batch (from 0). An index outside the batch makes the
 * whole batch fail: the engine does not guess.
 */
public class PartialBatchException extends RuntimeException {

    private final Map<String, Throwable> failedIds;
    private final List<Integer> failedIndexes;

    private PartialBatchException(
            Map<String, Throwable> failedIds, List<Integer> failedIndexes, @Nullable Throwable cause) {
        super(failedIds.size() + failedIndexes.size() + " messages of the batch failed", cause);
        this.failedIds = failedIds;
        this.failedIndexes = failedIndexes;
    }

    /** These messages failed, all for the same cause. */
    public static PartialBatchException of(Collection<? extends SqsMessage<?>> failed, Throwable cause) {
        Map<String, Throwable> byId = new LinkedHashMap<>();
        failed.forEach(message -> byId.put(message.id(), cause));
        return new PartialBatchException(byId, List.of(), cause);
    }

    /** These messages failed, each for a cause of its own; the first cause is this exception's. */
    public static PartialBatchException of(Map<? extends SqsMessage<?>, ? extends Throwable> failed) {
        Map<String, Throwable> byId = new LinkedHashMap<>();
        failed.forEach((message, cause) -> byId.put(message.id(), cause));
        Throwable first = byId.isEmpty() ? null : byId.values().iterator().next();
        return new PartialBatchException(byId, List.of(), first);
    }

    /** The messages at these places of the batch failed, counted from 0. */
    public static PartialBatchException ofIndexes(Collection<Integer> failed, Throwable cause) {
        return new PartialBatchException(Map.of(), List.copyOf(failed), cause);
    }

    /** The failed messages by id, each with its cause; empty if they are named by index. */
    public Map<String, Throwable> failedIds() {
        return Map.copyOf(failedIds);
    }

    /** The failed places, counted from 0; empty if they are named by message. */
    public List<Integer> failedIndexes() {
        return failedIndexes;
    }
}
