/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.jdbc.internal.Counters;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The meters of the inbox; without a registry nothing is counted. */
final class InboxMeters {

    private static final String DUPLICATES = "batchsqs.inbox.duplicates";

    private final Counters counters;

    InboxMeters(@Nullable MeterRegistry registry) {
        this.counters = new Counters(registry);
    }

    /** Returns what counts messages of one listener that did not run, because they had been processed before. */
    IntConsumer of(String listener, String queue) {
        counters.add(DUPLICATES, 0, "listener", listener, "queue", queue); // before the first duplicate
        return messages -> {
            if (messages > 0) {
                counters.add(DUPLICATES, messages, "listener", listener, "queue", queue);
            }
        };
    }

    /** Counts rows that are older than the retention and were deleted. */
    void deleted(int rows) {
        counters.add("batchsqs.inbox.deleted", rows);
    }
}
