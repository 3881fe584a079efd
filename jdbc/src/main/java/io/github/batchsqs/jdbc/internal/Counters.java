/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal;

import io.github.batchsqs.internal.support.ForeignCode;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what inbox and outbox do. A registry that throws changes nothing about the messages.
 *
 * @param registry {@code null} if nothing is counted
 */
public record Counters(@Nullable MeterRegistry registry) {

    private static final Logger log = LoggerFactory.getLogger(Counters.class);

    /** Adds a number to a counter; with zero, the counter is there. */
    public void add(String name, int number, String... tags) {
        if (registry != null) {
            Throwable failure =
                    ForeignCode.run(() -> registry.counter(name, tags).increment(number));
            if (failure != null) {
                log.error("The meter {} could not be counted", name, failure);
            }
        }
    }
}
