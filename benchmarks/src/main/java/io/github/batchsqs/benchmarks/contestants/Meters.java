/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;

/** Meters and observations as a Spring Boot application with the actuator has them, without tracing. */
final class Meters {

    /** The application's meters. */
    static final MeterRegistry REGISTRY = new SimpleMeterRegistry();

    private Meters() {}

    /** Boot's registry of observations: its only handler makes a timer of each. BatchSQS observes nothing for that alone. */
    static ObservationRegistry observations() {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(REGISTRY));
        return observations;
    }
}
