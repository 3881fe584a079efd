/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.inbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The meters of the inbox; without a registry only the sum for the health is counted. */
final class InboxMeters {

    private final @Nullable MeterRegistry registry;
    private final LongAdder skipped = new LongAdder();

    InboxMeters(@Nullable MeterRegistry registry) {
        this.registry = registry;
    }

    /** Returns the meters of one listener. */
    Of of(String listener, String queue) {
        Counter counter = registry == null
                ? null
                : registry.counter("batchsqs.inbox.duplicates", "listener", listener, "queue", queue);
        return messages -> {
            if (messages > 0) {
                skipped.add(messages);
                if (counter != null) {
                    counter.increment(messages);
                }
            }
        };
    }

    /** Counts rows that are older than the retention and were deleted. */
    void deleted(int rows) {
        if (registry != null) {
            registry.counter("batchsqs.inbox.deleted").increment(rows);
        }
    }

    /** Returns the number of skipped messages of all listeners since the start. */
    long skipped() {
        return skipped.sum();
    }

    /** The meters of one listener. */
    @FunctionalInterface
    interface Of {

        /** Counts messages that did not run, because they had been processed before. */
        void skipped(int messages);
    }
}
