/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.internal.support.ForeignCode;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The meters of the inbox; without a registry only the sum for the health is counted. */
final class InboxMeters {

    private static final Logger log = LoggerFactory.getLogger(InboxMeters.class);

    private static final String DUPLICATES = "batchsqs.inbox.duplicates";
    private static final String DELETED = "batchsqs.inbox.deleted";

    private final @Nullable MeterRegistry registry;
    private final LongAdder skipped = new LongAdder();

    InboxMeters(@Nullable MeterRegistry registry) {
        this.registry = registry;
    }

    /** Returns what counts messages of one listener that did not run, because they had been processed before. */
    IntConsumer of(String listener, String queue) {
        count(DUPLICATES, 0, "listener", listener, "queue", queue); // the meter is there before the first duplicate
        return messages -> {
            if (messages > 0) {
                skipped.add(messages);
                count(DUPLICATES, messages, "listener", listener, "queue", queue);
            }
        };
    }

    /** Counts rows that are older than the retention and were deleted. */
    void deleted(int rows) {
        count(DELETED, rows);
    }

    /** A registry that throws changes nothing about the messages: their transaction has committed. */
    private void count(String name, int number, String... tags) {
        if (registry == null) {
            return;
        }
        Throwable failure = ForeignCode.run(() -> registry.counter(name, tags).increment(number));
        if (failure != null) {
            log.error("The meter {} could not be counted", name, failure);
        }
    }

    /** Returns the number of skipped messages of all listeners since the start. */
    long skipped() {
        return skipped.sum();
    }
}
