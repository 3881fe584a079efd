/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** The meters of the store. */
record S3Meters(MeterRegistry registry) {

    static final String UPLOAD = "upload";
    static final String FETCH = "fetch";
    static final String DELETE = "delete";

    void uploaded(String queue) {
        registry.counter("batchsqs.s3.uploaded", "queue", queue).increment();
    }

    void fetched(String queue) {
        registry.counter("batchsqs.s3.fetched", "queue", queue).increment();
    }

    void deleted(String queue, int objects) {
        registry.counter("batchsqs.s3.deleted", "queue", queue).increment(objects);
    }

    /** Counts objects for which an operation failed. */
    void failed(String operation, String queue, String code, int objects) {
        registry.counter("batchsqs.s3.failures", "code", code, "operation", operation, "queue", queue)
                .increment(objects);
    }

    /** Shows how much memory the payloads of handlers occupy. */
    void memory(Supplier<Number> taken) {
        var ignored = Gauge.builder("batchsqs.s3.memory.used", taken)
                .baseUnit("bytes")
                .register(registry);
    }
}
