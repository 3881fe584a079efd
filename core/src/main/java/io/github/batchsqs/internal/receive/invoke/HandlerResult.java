/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.PartialBatchException;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of one call of the handler.
 *
 * @param outcome what the handler returned, or {@code null} if it threw
 * @param failure what the handler or an interceptor before it threw, or {@code null}
 * @param started {@code false} if the handler did not start, because messages were no longer ours
 */
record HandlerResult(
        @Nullable BatchOutcome outcome, @Nullable Throwable failure, boolean started) {

    /** Returns whether the call failed without naming single messages. */
    boolean failedAsAWhole() {
        return failure != null && !(failure instanceof PartialBatchException);
    }

    /** Returns the messages that the failure names; all of them if it names none, or one that is not in the batch. */
    <T> IdentityHashMap<ConvertedMessage<T>, Throwable> failedAmong(List<ConvertedMessage<T>> messages) {
        IdentityHashMap<ConvertedMessage<T>, Throwable> failed =
                new IdentityHashMap<>(failure == null ? 0 : messages.size());
        if (failure == null) {
            return failed;
        }
        if (failure instanceof PartialBatchException partial && names(partial, messages)) {
            Throwable cause = Objects.requireNonNullElse(partial.getCause(), partial);
            partial.failedIndexes().forEach(index -> failed.put(messages.get(index), cause));
            messages.stream()
                    .filter(message -> partial.failedIds().containsKey(message.id()))
                    .forEach(message -> failed.put(
                            message, Objects.requireNonNull(partial.failedIds().get(message.id()))));
        } else {
            messages.forEach(message -> failed.put(message, failure));
        }
        return failed;
    }

    private static <T> boolean names(PartialBatchException partial, List<ConvertedMessage<T>> messages) {
        Set<String> ids = new HashSet<>();
        messages.forEach(message -> ids.add(message.id()));
        return ids.containsAll(partial.failedIds().keySet())
                && partial.failedIndexes().stream().allMatch(index -> index >= 0 && index < messages.size());
    }
}
