/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The deduplication ids of the last five minutes, of deleted messages too. */
final class Deduplication {

    static final long WINDOW = Duration.ofMinutes(5).toNanos();

    private final Map<String, Sent> byKey = new HashMap<>();
    private final ArrayDeque<Known> oldestFirst = new ArrayDeque<>();

    private record Known(String key, long until) {}

    /** The response to the message that was accepted with the key, or {@code null}. */
    @Nullable
    Sent find(String key, long now) {
        for (Known known = oldestFirst.peek(); known != null && known.until <= now; known = oldestFirst.peek()) {
            byKey.remove(known.key);
            oldestFirst.remove();
        }
        return byKey.get(key);
    }

    void remember(String key, Sent sent, long now) {
        byKey.put(key, sent);
        oldestFirst.add(new Known(key, now + WINDOW));
    }
}
