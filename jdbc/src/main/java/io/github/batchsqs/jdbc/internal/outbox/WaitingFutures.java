/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.KeptFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The futures of messages that this instance stored, by the id of the row. From the commit on, each waits for a limited time, and there is
 * a maximum of them, so that an outage does not fill the memory. Before the commit, only the end of its transaction removes a future: the
 * message is not in the outbox yet. Safe for use by any thread; completes none.
 */
final class WaitingFutures {

    static final int MAX = 100_000;

    private final Map<Long, Waiting> byId = new ConcurrentHashMap<>();

    /** @param deadline {@code null} before the commit; the relay may find the row before the callback of the commit runs */
    private record Waiting(KeptFuture future, @Nullable Long deadline) {}

    /** Adds the future of a row whose transaction is going to commit. */
    void add(long id, KeptFuture future) {
        byId.put(id, new Waiting(future, null));
    }

    /**
     * The transaction of rows has committed; their futures have a deadline from now on, if they still wait.
     *
     * @param deadline when they have waited for long enough, in the nanoseconds of the time source
     * @return those for which there is no room, and that do not wait any longer
     */
    List<KeptFuture> committed(List<Long> ids, long deadline) {
        List<Long> beyond = new ArrayList<>(0);
        for (Long id : ids) {
            if (byId.size() - beyond.size() > MAX) {
                beyond.add(id);
            } else {
                byId.computeIfPresent(id, (key, waiting) -> new Waiting(waiting.future(), deadline));
            }
        }
        return remove(beyond);
    }

    /** Removes and returns a future; {@code null} if it does not wait here. */
    @Nullable
    KeptFuture remove(long id) {
        Waiting waiting = byId.remove(id);
        return waiting == null ? null : waiting.future();
    }

    /** Removes and returns those of the futures that wait here. */
    List<KeptFuture> remove(List<Long> ids) {
        List<KeptFuture> removed = new ArrayList<>(ids.size());
        for (Long id : ids) {
            KeptFuture future = remove(id.longValue());
            if (future != null) {
                removed.add(future);
            }
        }
        return removed;
    }

    /** Removes and returns the futures of committed transactions with such a deadline. */
    List<KeptFuture> removeIf(LongPredicate deadline) {
        List<Long> ids = new ArrayList<>(0);
        byId.forEach((id, waiting) -> {
            if (waiting.deadline() != null && deadline.test(waiting.deadline())) {
                ids.add(id);
            }
        });
        return remove(ids);
    }

    int size() {
        return byId.size();
    }
}
