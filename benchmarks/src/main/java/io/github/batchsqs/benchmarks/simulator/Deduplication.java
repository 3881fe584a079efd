/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The deduplication ids of the last five minutes, of deleted messages too. */
final class Deduplication {

    private static final long WINDOW_MILLIS = 5 * 60_000L;

    private final Map<String, StoredMessage> byKey = new HashMap<>();
    private final ArrayDeque<Known> oldestFirst = new ArrayDeque<>();

    private record Known(String key, long until) {}

    /** The message that was accepted with the key, or {@code null}. */
    @Nullable
    StoredMessage find(String key, long now) {
        for (Known known = oldestFirst.peek(); known != null && known.until <= now; known = oldestFirst.peek()) {
            byKey.remove(known.key);
            oldestFirst.remove();
        }
        return byKey.get(key);
    }

    void remember(String key, StoredMessage message, long now) {
        byKey.put(key, message);
        oldestFirst.add(new Known(key, now + WINDOW_MILLIS));
    }
}
