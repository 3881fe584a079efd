/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import io.github.batchsqs.internal.support.Words;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A handler throws this exception when some messages of the batch failed. The listener deletes all others, except with {@code
 * acknowledge.mode: manual}.
 *
 * <p>The exception names the failed messages. If it names a message that is not in the batch, the whole batch fails. It names at
 * least one: a handler of which no message failed returns normally.
 */
public class PartialBatchException extends RuntimeException {

    /** The failed messages by id, each with its cause. */
    private final Map<String, Throwable> failedIds;

    private PartialBatchException(Map<String, @Nullable Throwable> failedIds, @Nullable Throwable cause) {
        super(Words.count(failedIds.size(), "message") + " of the batch failed", cause);
        Map<String, Throwable> byId = new LinkedHashMap<>();
        failedIds.forEach((id, own) -> byId.put(id, own == null ? this : own));
        this.failedIds = Collections.unmodifiableMap(byId);
    }

    /**
     * Creates the exception for messages that failed for the same cause.
     *
     * @param failed messages of the batch
     * @param cause the cause, or {@code null} if it is not known; then this exception is the cause of each message
     * @return the exception to throw
     * @throws IllegalArgumentException if no message is named
     */
    public static PartialBatchException of(Collection<? extends SqsMessage<?>> failed, @Nullable Throwable cause) {
        Map<String, @Nullable Throwable> byId = new LinkedHashMap<>();
        failed.forEach(message -> byId.put(message.id(), cause));
        return naming(byId, cause);
    }

    /**
     * Creates the exception for messages that have a cause each. The first cause is also the cause of this exception.
     *
     * @param failed messages of the batch, each with its cause or {@code null}
     * @return the exception to throw
     * @throws IllegalArgumentException if no message is named
     */
    public static PartialBatchException of(Map<? extends SqsMessage<?>, ? extends @Nullable Throwable> failed) {
        Map<String, @Nullable Throwable> byId = new LinkedHashMap<>();
        failed.forEach((message, cause) -> byId.put(message.id(), cause));
        Throwable first = byId.isEmpty() ? null : byId.values().iterator().next();
        return naming(byId, first);
    }

    private static PartialBatchException naming(Map<String, @Nullable Throwable> failedIds, @Nullable Throwable cause) {
        if (failedIds.isEmpty()) {
            throw new IllegalArgumentException(
                    "A PartialBatchException must name at least one failed message, because the"
                            + " listener deletes those that it does not name; return normally if no message failed");
        }
        return new PartialBatchException(failedIds, cause);
    }

    /** {@return an immutable map of the ids of the failed messages to their causes} */
    public Map<String, Throwable> failedIds() {
        return failedIds;
    }
}
