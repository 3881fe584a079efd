/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import io.github.batchsqs.autoconfigure.internal.observation.BatchSqsObservationAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.observation.BatchSqsTracingAutoConfiguration;
import io.github.batchsqs.internal.observation.Observations;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** The observations of a Spring Boot application with the actuator and OpenTelemetry: a tenth of the traces is sampled, Boot's default. No exporter takes the spans. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    MetricsAutoConfiguration.class,
    ObservationAutoConfiguration.class,
    OpenTelemetrySdkAutoConfiguration.class,
    OpenTelemetryTracingAutoConfiguration.class,
    MicrometerTracingAutoConfiguration.class,
    BatchSqsObservationAutoConfiguration.class,
    BatchSqsTracingAutoConfiguration.class
})
class Tracing {

    /** Makes what observes listeners; the application ends with the process. */
    static Observations observations() {
        return new SpringApplicationBuilder(Tracing.class)
                .web(WebApplicationType.NONE)
                .initializers(context -> context.getBeanFactory().registerSingleton("meters", Meters.REGISTRY))
                .run("--spring.autoconfigure.exclude=")
                .getBean(Observations.class);
    }
}
