/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Time that stands still until a test advances it. */
final class Clock implements TimeSource {

    private final AtomicLong nanos = new AtomicLong(-1_000_000_000L);

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return Instant.parse("2026-01-01T00:00:00Z").plusNanos(nanos.get());
    }

    void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }
}
