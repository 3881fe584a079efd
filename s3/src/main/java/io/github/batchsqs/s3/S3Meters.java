/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The meters of the store; nothing is counted without a registry. */
final class S3Meters {

    static final String UPLOAD = "upload";
    static final String FETCH = "fetch";
    static final String DELETE = "delete";

    private final @Nullable MeterRegistry registry;
    private volatile @Nullable Meter memory;

    S3Meters(@Nullable MeterRegistry registry) {
        this.registry = registry;
    }

    void uploaded(String queue) {
        count("batchsqs.s3.uploaded", queue, 1);
    }

    void fetched(String queue) {
        count("batchsqs.s3.fetched", queue, 1);
    }

    void deleted(String queue, int objects) {
        count("batchsqs.s3.deleted", queue, objects);
    }

    /**
     * Counts objects for which an operation failed.
     *
     * @param code one of the few of {@link S3Errors}
     */
    void failed(String operation, String queue, String code, int objects) {
        if (registry != null) {
            registry.counter("batchsqs.s3.failures", "code", code, "operation", operation, "queue", queue)
                    .increment(objects);
        }
    }

    /** Shows how much memory fetched payloads occupy. */
    void memory(Supplier<Number> taken) {
        if (registry != null) {
            memory = Gauge.builder("batchsqs.s3.memory.used", taken)
                    .baseUnit("bytes")
                    .register(registry);
        }
    }

    /** Removes the gauge: another store may show its memory. */
    void close() {
        Meter shown = memory;
        if (registry != null && shown != null) {
            var ignored = registry.remove(shown);
        }
    }

    private void count(String name, String queue, int objects) {
        if (registry != null) {
            registry.counter(name, "queue", queue).increment(objects);
        }
    }
}
