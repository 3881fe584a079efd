/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import io.github.batchsqs.internal.events.MicrometerListenerEvents;
import io.github.batchsqs.receive.ListenerContainer;
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

    /** Registers the gauges that the auto-configuration registers. */
    static void gauges(MicrometerListenerEvents events, ListenerContainer container) {
        events.gauges(
                () -> container.status().inFlight(),
                () -> container.status().handoffSize(),
                () -> container.status().pollers(),
                () -> container.status().activeInvocations());
        events.concurrencyGauge(() -> container.status().concurrency());
        events.memoryGauge(() -> container.status().inFlightBytes());
        events.troubleGauges(
                () -> container.status().inFlightLimit(),
                () -> container.status().problem() != null
                        || container.status().invocationOverdueFor().isPositive(),
                () -> container.status().receiveFailingFor());
    }
}
